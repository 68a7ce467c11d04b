import type { ReactNode } from "react";
import { suggestEmail } from "#domain/rules/email-suggestion.ts";
import { doubtedEmailCopy as copy } from "./doubted-email.copy.ts";

/** Last address that was asked about: whoever sends it again means it. */
let asked = "";

/** The question whether a misspelt address was meant, for the field of that id; null without a doubt, or once it was asked. */
export function doubtEmail(address: string, fieldId: string): ReactNode {
  const meant = suggestEmail(address);
  if (meant === null || address === asked) return null;
  asked = address;
  return <DoubtedEmail meant={meant} fieldId={fieldId} />;
}

type DoubtedEmailProps = { meant: string; fieldId: string };

/** An answer of one tap: the address that was probably meant takes the place of what was typed. */
function DoubtedEmail({ meant, fieldId }: DoubtedEmailProps) {
  function correct() {
    const field = document.getElementById(fieldId);
    if (!(field instanceof HTMLInputElement)) return;
    field.value = meant;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    // This button goes with the question; the field would open the keyboard over the way on.
    field.form?.querySelector<HTMLButtonElement>("[type=submit]")?.focus();
  }

  return (
    <span className="grid min-w-0 justify-items-start text-ink">
      <span>{copy.question(meant.slice(meant.lastIndexOf("@") + 1))}</span>
      <button
        type="button"
        onClick={correct}
        className="min-h-11 cursor-pointer font-bold underline decoration-2 underline-offset-4 hover:decoration-violet"
      >
        {copy.correct}
      </button>
      <span>{copy.otherwise}</span>
    </span>
  );
}
