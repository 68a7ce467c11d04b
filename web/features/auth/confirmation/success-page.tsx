import { useNavigate } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useEffect } from "react";
import { usePageTitle } from "../../../lib/page-title.ts";
import { authCopy } from "../auth.copy.ts";
import { AuthLayout } from "../auth-layout.tsx";

const copy = authCopy.success;

/** Occasion of the welcome: a step that has just succeeded. */
export type Welcome = "signedIn" | "signedUp" | "confirmed";

/** Long enough to read that an account is ready; who merely signs in waits for nothing. */
const PAUSE_MS: Readonly<Record<Welcome, number>> = {
  signedIn: 0,
  signedUp: 1500,
  confirmed: 1500,
};

/** Signed in: says so, then goes on to where the person wanted. */
export function SuccessPage({ welcome, target }: { welcome: Welcome; target: string }) {
  usePageTitle(copy[welcome]);
  const navigate = useNavigate();

  useEffect(() => {
    const timer = setTimeout(
      () => void navigate({ href: target, replace: true }),
      PAUSE_MS[welcome],
    );
    return () => clearTimeout(timer);
  }, [navigate, target, welcome]);

  return (
    <AuthLayout title={copy[welcome]}>
      <p role="status" className="flex items-center gap-3 text-lg text-muted">
        <CircleCheck aria-hidden="true" className="size-7 shrink-0 text-mint" />
        {copy.text}
      </p>
    </AuthLayout>
  );
}
