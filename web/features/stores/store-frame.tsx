import { Link } from "@tanstack/react-router";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { MissingPage } from "../../ui/states/missing-page.tsx";
import { storesCopy } from "./stores.copy.ts";

/** Title of a page about one store, with the way back to the list. */
export function StoreHeader({ title }: { title: string }) {
  return <PageHeader back={{ to: "/stores", label: storesCopy.back }} title={title} />;
}

const copy = storesCopy.notFound;

/** There is no such store, or it is somebody else's: the same answer. */
export function StoreMissing() {
  usePageTitle(copy.title);
  return (
    <MissingPage title={copy.title} text={copy.text}>
      <Link to="/stores" className={buttonClass()}>
        {copy.back}
      </Link>
    </MissingPage>
  );
}
