import { PageHeader } from "../../ui/page-header.tsx";
import { storesCopy } from "./stores.copy.ts";

/** Title of a page about one store, with the way back to the list. */
export function StoreHeader({ title }: { title: string }) {
  return <PageHeader back={{ to: "/stores", label: storesCopy.back }} title={title} />;
}
