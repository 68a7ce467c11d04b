import { type FormEvent, type ReactNode, useState } from "react";
import { EMAIL_MAX_LENGTH, PHONE_MAX_LENGTH } from "#domain/rules/constants.ts";
import { contactCopy } from "#domain/rules/contact.copy.ts";
import { email, phone } from "#domain/rules/contact.ts";
import { customerCopy } from "../customer.copy.ts";
import { Action } from "../parts/action.tsx";
import { BottomBar } from "../parts/bottom-bar.tsx";
import { doubtContact } from "../parts/doubted-contact.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { TextField } from "../parts/text-field.tsx";
import { followingStepCopy } from "./following-step.copy.ts";
import type { Contact } from "./play-state.ts";

const copy = followingStepCopy.contact;

type Mistakes = { email?: ReactNode; phone?: ReactNode };

type ContactDraft = { email: string; phone: string };

type ContactStepProps = {
  /** Contact as it was typed before, valid or not. */
  draft: { email?: string | undefined; phone?: string | undefined };
  onDraft: (draft: ContactDraft) => void;
  onSubmit: (contact: Contact) => void;
};

function readForm(form: HTMLFormElement): ContactDraft {
  const typed = new FormData(form);
  return { email: String(typed.get("email")).trim(), phone: String(typed.get("phone")).trim() };
}

/** Each field is optional; one of the two is required (specification, section 5). */
function checkContact(typed: ContactDraft): { contact: Contact; mistakes: Mistakes } {
  const contact: Contact = {};
  const mistakes: Mistakes = {};
  for (const [field, schema] of [
    ["email", email],
    ["phone", phone],
  ] as const) {
    if (typed[field] === "") continue;
    const checked = schema.safeParse(typed[field]);
    if (checked.success) contact[field] = checked.data;
    else mistakes[field] = checked.error.issues[0]?.message;
  }
  const isEmpty = Object.keys(contact).length + Object.keys(mistakes).length === 0;
  return { contact, mistakes: isEmpty ? { email: contactCopy.contactRequired } : mistakes };
}

/** How to reach who plays without a review. */
export function ContactStep({ draft, onDraft, onSubmit }: ContactStepProps) {
  const [mistakes, setMistakes] = useState<Mistakes>({});

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const checked = checkContact(readForm(event.currentTarget));
    const isValid = Object.keys(checked.mistakes).length === 0;
    const found = isValid ? doubtContact(checked.contact) : checked.mistakes;
    setMistakes(found);
    const [first] = Object.keys(found);
    if (first === undefined) onSubmit(checked.contact);
    else document.getElementById(first)?.focus();
  }

  return (
    <form
      className="flex grow animate-enter flex-col gap-4"
      noValidate
      onSubmit={submit}
      onInput={({ currentTarget }) => {
        setMistakes({});
        onDraft(readForm(currentTarget));
      }}
    >
      <StepTitle takesFocus>{copy.title}</StepTitle>
      <p>{copy.intro}</p>
      <TextField
        name="email"
        label={customerCopy.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        enterKeyHint="next"
        maxLength={EMAIL_MAX_LENGTH}
        defaultValue={draft.email ?? ""}
        mistake={mistakes.email}
      />
      <TextField
        name="phone"
        label={customerCopy.phone}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        enterKeyHint="done"
        maxLength={PHONE_MAX_LENGTH}
        defaultValue={draft.phone ?? ""}
        mistake={mistakes.phone}
      />
      <BottomBar>
        <Action type="submit">{copy.submit}</Action>
      </BottomBar>
    </form>
  );
}
