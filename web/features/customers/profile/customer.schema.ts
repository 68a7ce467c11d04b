import * as z from "zod/mini";
import { email, firstName, lastName, phone } from "#domain/rules/contact.ts";
import type { CustomerDetail } from "#domain/schemas/customers.ts";
import { customerFormCopy } from "./customer-form.copy.ts";

const NOTE_MAX_LENGTH = 4000;

/**
 * Text that is blank, or passes the rules of the customer's own form (specification, section 5).
 */
function blankOr<Schema extends z.ZodMiniType<string>>(schema: Schema) {
  return z.union([z.string().check(z.trim(), z.maxLength(0)), schema]);
}

const names = { firstName, lastName };
const rest = {
  note: z.string().check(z.maxLength(NOTE_MAX_LENGTH, customerFormCopy.noteTooLong)),
  consent: z.boolean(),
};

/**
 * The form of a customer. Whoever played with one name only has no last name, and keeps having none;
 * one of e-mail and phone is needed.
 */
export function customerForm(hasLastName: boolean) {
  return z
    .object({
      ...names,
      lastName: hasLastName ? lastName : blankOr(lastName),
      email: z.string(),
      phone: z.string(),
      ...rest,
    })
    .check((context) => {
      const { value, issues } = context;
      const isBlank = (text: string) => text.trim() === "";
      if (isBlank(value.email) && isBlank(value.phone)) {
        issues.push({
          code: "custom",
          path: ["email"],
          message: customerFormCopy.contactRequired,
          input: value.email,
        });
      }
      for (const [path, schema] of [
        ["email", email],
        ["phone", phone],
      ] as const) {
        if (isBlank(value[path])) continue;
        const judged = schema.safeParse(value[path]);
        const message = judged.error?.issues[0]?.message;
        if (message) issues.push({ code: "custom", path: [path], message, input: value[path] });
      }
    });
}
export type CustomerForm = z.infer<ReturnType<typeof customerForm>>;

/** Arguments of the SQL function `save_customer`, but who and which version. */
export type CustomerWrite = {
  p_first_name: string;
  p_last_name: string;
  p_email: string;
  p_phone: string;
  p_consent_marketing: boolean;
  p_note: string;
};

/** Payload of a form that passed the schema; blanks count as nothing. */
export function toWrite(form: CustomerForm): CustomerWrite {
  return {
    p_first_name: form.firstName.trim(),
    p_last_name: form.lastName.trim(),
    p_email: form.email.trim(),
    p_phone: form.phone.replace(/\s/g, " ").trim(),
    p_consent_marketing: form.consent,
    p_note: form.note.trim(),
  };
}

/** The form of a customer as they are now. A full name without parts is taken as the first name. */
export function toForm(customer: CustomerDetail): CustomerForm {
  const hasParts = customer.first_name !== null || customer.last_name !== null;
  return {
    firstName: hasParts ? (customer.first_name ?? "") : customer.name,
    lastName: customer.last_name ?? "",
    email: customer.email ?? "",
    phone: customer.phone ?? "",
    note: customer.note ?? "",
    consent: customer.consent !== null,
  };
}
