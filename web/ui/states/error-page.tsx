import { useEffect } from "react";
import { AppError, errorMessage, NETWORK } from "../../lib/app-error.ts";
import { renewRelease } from "../../lib/missing-parts.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { Button } from "../button.tsx";
import { buttonClass } from "../button-class.ts";
import { uiCopy } from "../ui.copy.ts";
import { MessageScreen } from "./message-screen.tsx";

const copy = uiCopy.error;

type ErrorPageProps = {
  error: unknown;
  /** Whether it replaces a screen, with the navigation around it. */
  isWithin?: boolean;
};

/** Something broke (specification, section 2.1): back to home, or load the page again. */
export function ErrorPage({ error, isWithin }: ErrorPageProps) {
  usePageTitle(copy.title);
  useEffect(() => {
    void renewRelease(error);
  }, [error]);
  const isNetwork = error instanceof AppError && error.code === NETWORK;
  return (
    <MessageScreen
      title={copy.title}
      text={isNetwork ? errorMessage(error) : copy.text}
      isWithin={isWithin}
    >
      <a href="/" className={buttonClass({ variant: "secondary" })}>
        {copy.home}
      </a>
      <Button onClick={() => window.location.reload()}>{copy.retry}</Button>
    </MessageScreen>
  );
}
