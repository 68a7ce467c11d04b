import * as z from "zod/mini";
import { email } from "#domain/contact.ts";
import { authCopy } from "./auth.copy.ts";

/** What signing in asks for. The password goes as typed: its spaces count. */
export const signInSchema = z.object({
  email,
  password: z.string().check(z.minLength(1, authCopy.signIn.requiredFields)),
});
export type SignInValues = z.infer<typeof signInSchema>;
