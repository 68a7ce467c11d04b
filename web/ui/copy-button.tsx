import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { COPY_CONFIRMATION_MS } from "#domain/rules/constants.ts";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";

type CopyButtonProps = {
  text: string;
  label: string;
  /** Subject of the copy, said aloud after the label where a page has several of these. */
  subject?: string;
  copied: string;
  variant?: "secondary" | "quiet";
};

/** Copies a text, and says so for two seconds. */
export function CopyButton(props: CopyButtonProps) {
  const { text, label, subject, copied, variant = "secondary" } = props;
  const [isCopied, setIsCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), COPY_CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const Icon = isCopied ? Check : Copy;
  return (
    <Button variant={variant} onClick={async () => setIsCopied(await copyText(text))}>
      <Icon aria-hidden="true" className={`size-5 ${isCopied ? "text-mint-ink" : ""}`} />
      <span aria-live="polite">{isCopied ? copied : label}</span>
      {subject && <span className="sr-only">{subject}</span>}
    </Button>
  );
}
