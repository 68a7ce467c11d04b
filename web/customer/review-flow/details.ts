import * as z from "zod/mini";
import { email, firstName, lastName, phone } from "#domain/contact.ts";

const names = { first_name: firstName, last_name: lastName };
const byEmail = z.object({ ...names, email });
const byPhone = z.object({ ...names, phone });

/** What the form asks for, as it stands once valid. */
export const customerDetails = z.object({
  ...names,
  email: z.optional(email),
  phone: z.optional(phone),
  consent_marketing: z.boolean(),
});
export type CustomerDetails = z.infer<typeof customerDetails>;

/** What stands in the form's fields, valid or not, by the fields' names. */
export const formDraft = z.object({
  first_name: z._default(z.string(), ""),
  last_name: z._default(z.string(), ""),
  contact: z._default(z.enum(["email", "phone"]), "email"),
  email: z._default(z.string(), ""),
  phone: z._default(z.string(), ""),
  /** A checkbox: present when ticked. */
  consent_marketing: z.optional(z.string()),
});
export type FormDraft = z.infer<typeof formDraft>;

/** Fields that can be wrong, in the form's order. */
export const detailsFields = ["first_name", "last_name", "email", "phone"] as const;
export type DetailsField = (typeof detailsFields)[number];
export type Mistakes = Partial<Record<DetailsField, string>>;

/** Details of a valid form, or the sentence to show beside each field. */
export type DetailsCheck =
  | { details: CustomerDetails; mistakes: null }
  | { details: null; mistakes: Mistakes };

/** Checks the form as the specification asks (section 5): only the chosen contact counts. */
export function checkDetails(draft: FormDraft): DetailsCheck {
  const parsed = z.safeParse(draft.contact === "email" ? byEmail : byPhone, draft);
  if (parsed.success) {
    const consent_marketing = draft.consent_marketing !== undefined;
    return { details: { ...parsed.data, consent_marketing }, mistakes: null };
  }
  const mistakes: Mistakes = {};
  for (const field of detailsFields) {
    const issue = parsed.error.issues.find(({ path }) => path[0] === field);
    if (issue !== undefined) mistakes[field] = issue.message;
  }
  return { details: null, mistakes };
}
