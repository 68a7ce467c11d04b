import { AppError, errorMessage, NETWORK } from "../../lib/app-error.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { MessageScreen } from "../../ui/message-screen.tsx";
import { siteCopy } from "./site.copy.ts";

const copy = siteCopy.error;

/** Something broke (specification, section 2.1): back to home, or load the page again. */
export function ErrorPage({ error }: { error: unknown }) {
  usePageTitle(copy.title);
  const isNetwork = error instanceof AppError && error.code === NETWORK;
  return (
    <MessageScreen title={copy.title} text={isNetwork ? errorMessage(error) : copy.text}>
      <a href="/" className={buttonClass({ variant: "secondary" })}>
        {copy.home}
      </a>
      <Button onClick={() => window.location.reload()}>{copy.retry}</Button>
    </MessageScreen>
  );
}
