import { Link } from "@tanstack/react-router";
import { emailDraft } from "../../lib/email-draft.ts";
import { authCopy } from "./auth.copy.ts";

/** To a new password, with the address that is typed already. */
export function ForgottenLink({ email }: { email: () => string }) {
  return (
    <Link
      to="/auth/forgot-password"
      // Followed before its script is there, it would lose the address (`server/build/start-later.js`).
      data-held
      onClick={() => emailDraft.keep(email())}
      className="inline-flex min-h-11 items-center justify-self-center rounded-field px-2 font-semibold text-violet underline-offset-4 hover:underline"
    >
      {authCopy.signIn.forgotten}
    </Link>
  );
}
