import { useEffect, useState } from "react";
import { COPY_CONFIRMATION_MS } from "#domain/rules/constants.ts";
import { copyText } from "../ui/copy-text.ts";
import { Icon } from "./parts/icon.tsx";
import { ticketCopy } from "./ticket.copy.ts";

/** Copies a code, and says so for two seconds. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setIsCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), COPY_CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  return (
    <button
      type="button"
      onClick={async () => setIsCopied(await copyText(text))}
      className="flex min-h-12 w-full cursor-pointer items-center justify-center gap-2 rounded-field font-bold ring-2 ring-field transition-colors duration-150 ring-inset hover:ring-violet active:bg-violet-soft"
    >
      <Icon
        name={isCopied ? "check" : "copy"}
        className={isCopied ? "size-5 text-mint-ink" : "size-5"}
      />
      <span aria-live="polite">{isCopied ? ticketCopy.copied : ticketCopy.copy}</span>
    </button>
  );
}
