import * as z from "zod/mini";
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from "../rules/constants.ts";
import { isEmailAddress } from "../rules/email-address.ts";

/** Topic of a message from the contact form. */
export const contactTopic = z.enum(["question", "demo", "data", "other"]);
export type ContactTopic = z.infer<typeof contactTopic>;

/** Fewest and most characters of a message. */
const MESSAGE_MIN_LENGTH = 10;
export const MESSAGE_MAX_LENGTH = 4000;

/** Body of `contact`. */
export const contactRequest = z.strictObject({
  /** Made by the form, so that one that is sent twice arrives once. */
  request_id: z.guid(),
  topic: contactTopic,
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(NAME_MAX_LENGTH)),
  email: z.string().check(z.trim(), z.maxLength(EMAIL_MAX_LENGTH), z.refine(isEmailAddress)),
  message: z
    .string()
    .check(z.trim(), z.minLength(MESSAGE_MIN_LENGTH), z.maxLength(MESSAGE_MAX_LENGTH)),
  /** A hidden field: only a program fills it in. */
  website: z._default(z.string().check(z.maxLength(500)), ""),
});
