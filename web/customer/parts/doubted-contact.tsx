import type { ReactNode } from "react";
import { suggestEmail } from "#domain/rules/email-suggestion.ts";
import { isOddPhone } from "#domain/rules/phone-number.ts";
import { doubtedContactCopy as copy } from "./doubted-contact.copy.ts";

/** Addresses and numbers that were questioned once: sending one again confirms it. */
const asked = new Set<string>();

/** Questions to show beside the fields of a contact whose address or number looks misspelt; each is asked once. */
export function doubtContact(contact: { email?: string | undefined; phone?: string | undefined }): {
  email?: ReactNode;
  phone?: ReactNode;
} {
  const { email, phone } = contact;
  const emailDoubt = email === undefined ? null : doubtEmail(email, "email");
  const phoneDoubt = phone === undefined ? null : doubtPhone(phone);
  return {
    ...(emailDoubt !== null && { email: emailDoubt }),
    ...(phoneDoubt !== null && { phone: phoneDoubt }),
  };
}

/** The question whether a misspelt address was meant, for the field of that id; null without a doubt, or once it was asked. */
export function doubtEmail(address: string, fieldId: string): ReactNode {
  const meant = suggestEmail(address);
  if (meant === null || asked.has(address)) return null;
  asked.add(address);
  return <DoubtedEmail meant={meant} fieldId={fieldId} />;
}

/** The question whether a number has all its digits; null without a doubt, or once it was asked. */
function doubtPhone(number: string): ReactNode {
  if (!isOddPhone(number) || asked.has(number)) return null;
  asked.add(number);
  return (
    <span className="grid min-w-0 gap-1 text-ink">
      <span>{copy.phone}</span>
      <span>{copy.rightPhone}</span>
    </span>
  );
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
      <span>{copy.email(meant.slice(meant.lastIndexOf("@") + 1))}</span>
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
