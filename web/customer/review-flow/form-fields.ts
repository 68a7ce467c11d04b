import { detailsFields, type FormDraft } from "./form-draft.ts";

function inputOf(form: HTMLFormElement, id: string): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(`#${id}`);
}

/** Reads the form. */
export function readForm(form: HTMLFormElement): FormDraft {
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

/** Puts a draft back, except where somebody has typed since. */
export function fillForm(form: HTMLFormElement, draft: FormDraft): void {
  for (const field of detailsFields) {
    const input = inputOf(form, field);
    if (input?.value === "") input.value = draft[field];
  }
  const phone = inputOf(form, "contact-phone");
  if (phone !== null && draft.contact === "phone") phone.checked = true;
  const consent = inputOf(form, "consent_marketing");
  if (consent !== null && draft.consent_marketing) consent.checked = true;
}
