import * as z from "zod/mini";
import { teamCopy } from "./team.copy.ts";

const { rules } = teamCopy.form;

/** As the database asks for it. */
const ADDRESS = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** What somebody is, and at which till; a blank store is all of them. */
const placeForm = z.object({ role: z.string(), storeId: z.string() });
export type PlaceForm = z.infer<typeof placeForm>;

export const inviteForm = z.extend(placeForm, {
  email: z.string().check(
    z.trim(),
    z.minLength(1, rules.emailRequired),
    z.refine(
      (text) => text === "" || (ADDRESS.test(text) && text.length <= 320),
      rules.emailInvalid,
    ),
  ),
});
export type InviteForm = z.infer<typeof inviteForm>;
