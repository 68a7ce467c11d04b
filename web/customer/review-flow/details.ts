import * as z from "zod/mini";
import { email, firstName, lastName, phone } from "#domain/rules/contact.ts";
import { detailsFields, type FormDraft, type Mistakes } from "./form-draft.ts";

const names = { first_name: firstName, last_name: lastName };
const byEmail = z.object({ ...names, email });
const byPhone = z.object({ ...names, phone });

/** Valid contents of the form. */
export const customerDetails = z.object({
  ...names,
  email: z.optional(email),
  phone: z.optional(phone),
  consent_marketing: z.boolean(),
});
export type CustomerDetails = z.infer<typeof customerDetails>;

/** A form that was left, as it was kept in the tab. */
export const keptDraft: z.ZodMiniType<FormDraft> = z.object({
  first_name: z.string(),
  last_name: z.string(),
  contact: z.enum(["email", "phone"]),
  email: z.string(),
  phone: z.string(),
  consent_marketing: z.boolean(),
});

/** Details of a valid form, or the sentence to show beside each field. */
export type DetailsCheck =
  | { details: CustomerDetails; mistakes: null }
  | { details: null; mistakes: Mistakes };

/** Checks the form as the specification asks (section 5): only the chosen contact counts. */
export function checkDetails(draft: FormDraft): DetailsCheck {
  const parsed = z.safeParse(draft.contact === "email" ? byEmail : byPhone, draft);
  if (parsed.success) {
    const consent_marketing = draft.consent_marketing;
    return { details: { ...parsed.data, consent_marketing }, mistakes: null };
  }
  const mistakes: Mistakes = {};
  for (const field of detailsFields) {
    const issue = parsed.error.issues.find(({ path }) => path[0] === field);
    if (issue !== undefined) mistakes[field] = issue.message;
  }
  return { details: null, mistakes };
}
