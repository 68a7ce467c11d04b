import { type FormEvent, useEffect, useRef, useState } from "react";
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH, PHONE_MAX_LENGTH } from "#domain/rules/constants.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { customerCopy } from "../customer.copy.ts";
import { Action } from "../parts/action.tsx";
import { BottomBar } from "../parts/bottom-bar.tsx";
import { Notice } from "../parts/notice.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { TextField } from "../parts/text-field.tsx";
import { detailsFields, type FormDraft, hasDraft, type Mistakes } from "./form-draft.ts";
import { formCopy as copy } from "./form-step.copy.ts";

type FormStepProps = {
  campaign: PublicCampaign;
  /** Form as it was typed before the page was left; null until that can be known. */
  recallDraft: (() => FormDraft | null) | null;
  /** The script is there: before that the button must not send the form to the server. */
  isLive: boolean;
  /** The way on could not be loaded. */
  isOffline: boolean;
  takesFocus: boolean;
  freeEntryHref: string;
  onDraft: (draft: FormDraft) => void;
  /** Continues, or shows what is wrong. */
  onSubmit: (draft: FormDraft) => Promise<Mistakes>;
};

/** The first step: who gives the review. Every control is the browser's own, also before hydration. */
export function FormStep({
  campaign,
  recallDraft,
  isLive,
  isOffline,
  takesFocus,
  freeEntryHref,
  onDraft,
  onSubmit,
}: FormStepProps) {
  const form = useRef<HTMLFormElement>(null);
  const [mistakes, setMistakes] = useState<Mistakes>({});

  useEffect(() => {
    const draft = recallDraft?.() ?? null;
    if (form.current !== null && draft !== null) fillForm(form.current, draft);
  }, [recallDraft]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before the script listened.
  useEffect(() => {
    if (!isLive || form.current === null || hasDraft(campaign.id)) return;
    const typed = readForm(form.current);
    if (detailsFields.some((field) => typed[field] !== "")) onDraft(typed);
  }, [isLive]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = await onSubmit(readForm(event.currentTarget));
    setMistakes(found);
    const first = detailsFields.find((field) => found[field] !== undefined);
    if (first !== undefined) document.getElementById(first)?.focus();
  }

  function edit(event: FormEvent<HTMLFormElement>) {
    const { target, currentTarget } = event;
    const name = target instanceof HTMLInputElement ? target.name : "";
    setMistakes((before) => ({ ...before, [name]: undefined }));
    onDraft(readForm(currentTarget));
  }

  return (
    <form
      ref={form}
      className="group/form flex grow flex-col gap-4 tall:gap-5"
      noValidate
      onSubmit={submit}
      onInput={edit}
    >
      <StepTitle takesFocus={takesFocus}>
        {campaign.wheel_open ? copy.title : copy.titleResting}
      </StepTitle>
      {!campaign.wheel_open && (
        <Notice look="caution" title={copy.resting}>
          <p>{copy.restingHint}</p>
        </Notice>
      )}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] items-start gap-3">
        <TextField
          name="first_name"
          label={copy.firstName}
          autoComplete="given-name"
          autoCapitalize="words"
          enterKeyHint="next"
          maxLength={NAME_MAX_LENGTH}
          mistake={mistakes.first_name}
        />
        <TextField
          name="last_name"
          label={copy.lastName}
          autoComplete="family-name"
          autoCapitalize="words"
          enterKeyHint="next"
          maxLength={NAME_MAX_LENGTH}
          mistake={mistakes.last_name}
        />
      </div>
      <div>
        <fieldset>
          <legend className="mb-1.5 font-bold">{copy.contact}</legend>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] rounded-field bg-line p-1">
            {(["email", "phone"] as const).map((way) => (
              <label
                key={way}
                className="flex min-h-11 cursor-pointer items-center justify-center rounded-[7px] font-bold transition-colors duration-150 has-checked:bg-surface has-checked:shadow-card has-focus-visible:outline-3 has-focus-visible:outline-violet"
              >
                <input
                  type="radio"
                  id={`contact-${way}`}
                  name="contact"
                  value={way}
                  defaultChecked={way === "email"}
                  className="sr-only"
                />
                {way === "email" ? copy.byEmail : copy.byPhone}
              </label>
            ))}
          </div>
        </fieldset>
        <TextField
          name="email"
          label={customerCopy.email}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          enterKeyHint="done"
          maxLength={EMAIL_MAX_LENGTH}
          mistake={mistakes.email}
          className="mt-3 group-has-[#contact-phone:checked]/form:hidden"
        />
        <TextField
          name="phone"
          label={customerCopy.phone}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          enterKeyHint="done"
          maxLength={PHONE_MAX_LENGTH}
          mistake={mistakes.phone}
          className="mt-3 group-has-[#contact-email:checked]/form:hidden"
        />
      </div>
      <label className="-my-1 flex min-h-11 cursor-pointer items-center gap-3 py-1 text-base leading-snug">
        <input
          type="checkbox"
          id="consent_marketing"
          name="consent_marketing"
          className="size-6 shrink-0 accent-violet"
        />
        {copy.consent(campaign.organization.name)}
      </label>
      {isOffline && <Notice look="problem" title={customerCopy.offline} />}
      <noscript>
        <Notice look="problem" title={customerCopy.scriptNeeded} />
      </noscript>
      <BottomBar>
        <Action type={isLive ? "submit" : "button"} isWaiting={!isLive}>
          {copy.submit}
        </Action>
      </BottomBar>
      {campaign.wheel_open && (
        <Action look="quiet" href={freeEntryHref}>
          {copy.withoutReview}
        </Action>
      )}
    </form>
  );
}

function inputOf(form: HTMLFormElement, id: string): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(`#${id}`);
}

/** Reads the form. */
function readForm(form: HTMLFormElement): FormDraft {
  const text = (id: string) => inputOf(form, id)?.value ?? "";
  return {
    first_name: text("first_name"),
    last_name: text("last_name"),
    contact: inputOf(form, "contact-phone")?.checked ? "phone" : "email",
    email: text("email"),
    phone: text("phone"),
    consent_marketing: inputOf(form, "consent_marketing")?.checked ?? false,
  };
}

/** Puts a draft back, except into fields that were typed into since. */
function fillForm(form: HTMLFormElement, draft: FormDraft): void {
  for (const field of detailsFields) {
    const input = inputOf(form, field);
    if (input?.value === "") input.value = draft[field];
  }
  const phone = inputOf(form, "contact-phone");
  if (phone !== null && draft.contact === "phone") phone.checked = true;
  const consent = inputOf(form, "consent_marketing");
  if (consent !== null && draft.consent_marketing) consent.checked = true;
}
