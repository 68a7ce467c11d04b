import { Link } from "@tanstack/react-router";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { MissingPage } from "../../ui/missing-page.tsx";
import { noAccessCopy as copy } from "./no-access.copy.ts";

/** In place of a screen that somebody's role does not open, whose address they typed or kept. */
export function NoAccess() {
  usePageTitle(copy.title);
  return (
    <MissingPage title={copy.title} text={copy.text}>
      <Link to="/dashboard" className={buttonClass()}>
        {copy.back}
      </Link>
    </MissingPage>
  );
}
