import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { MessageScreen } from "../../ui/states/message-screen.tsx";
import { siteCopy } from "./site.copy.ts";

const copy = siteCopy.notFound;

/** No page has this address (specification, section 2.1). */
export function NotFoundPage() {
  usePageTitle(copy.title);
  return (
    <MessageScreen title={copy.title} text={copy.text}>
      <a href="/" className={buttonClass()}>
        {copy.home}
      </a>
    </MessageScreen>
  );
}
