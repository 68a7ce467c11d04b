import * as z from "zod/mini";
import { isEmailAddress } from "#domain/rules/email-address.ts";
import { teamCopy } from "./team.copy.ts";

const { rules } = teamCopy.form;

/** Role of a member, and their till; a blank store is all of them. */
const placeForm = z.object({ role: z.string(), storeId: z.string() });
export type PlaceForm = z.infer<typeof placeForm>;

export const inviteForm = z.extend(placeForm, {
  email: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: rules.emailRequired, abort: true }),
      z.refine(isEmailAddress, rules.emailInvalid),
    ),
});
export type InviteForm = z.infer<typeof inviteForm>;
