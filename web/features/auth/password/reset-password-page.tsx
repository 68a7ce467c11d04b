import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { AppError } from "../../../lib/app-error.ts";
import { OTHER_BROWSER } from "../../../lib/auth/arrival-problem.ts";
import { needsSecondFactor } from "../../../lib/auth/auth.ts";
import { useSession } from "../../../lib/auth/use-session.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { authCopy } from "../auth.copy.ts";
import { useOpenRecovery } from "../auth.mutations.ts";
import { AuthLayout } from "../auth-layout.tsx";
import { SecondFactorPage } from "../second-factor/second-factor-page.tsx";
import { OpenLink, useRecoveryToken } from "./open-link.tsx";
import { ResetForm } from "./reset-form.tsx";

const copy = authCopy.reset;

/** Pauses of the specification (section 9): long enough to read why one is led away. */
const INVALID_PAUSE_MS = 3000;
const DONE_PAUSE_MS = 2000;

function useLater(delay: number, go: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, from when the page shows.
  useEffect(() => {
    const timer = setTimeout(go, delay);
    return () => clearTimeout(timer);
  }, []);
}

/** `/auth/reset-password`: where the link of the mail leads (specification, sections 2.8 and 5). */
export function ResetPasswordPage() {
  const { auth } = useApp();
  const session = useSession();
  const token = useRecoveryToken();
  const open = useOpenRecovery();
  const [isDone, setIsDone] = useState(false);
  if (isDone) return <Done />;
  if (open.error instanceof AppError && open.error.code === "otp_expired") return <InvalidLink />;
  if (token) return <OpenLink token={token} open={open} />;
  if (!session || !auth.isRecovering() || auth.arrivalProblem()) return <InvalidLink />;
  // The platform changes no password before the second factor was given.
  if (needsSecondFactor(session)) return <SecondFactorPage />;
  const end = () => {
    auth.endRecovery();
    setIsDone(true);
  };
  return <ResetForm email={session.user.email ?? ""} onDone={end} />;
}

function InvalidLink() {
  usePageTitle(copy.title);
  const { auth } = useApp();
  const navigate = useNavigate();
  const isOfOtherBrowser = auth.arrivalProblem()?.code === OTHER_BROWSER;
  useLater(INVALID_PAUSE_MS, () => void navigate({ to: "/auth/forgot-password", replace: true }));
  return (
    <AuthLayout title={copy.title}>
      <Alert>{copy.invalidLink}</Alert>
      <p>{isOfOtherBrowser ? `${copy.otherBrowser} ${copy.invalidNext}` : copy.invalidNext}</p>
    </AuthLayout>
  );
}

function Done() {
  usePageTitle(copy.doneTitle);
  const navigate = useNavigate();
  useLater(DONE_PAUSE_MS, () => void navigate({ to: "/auth", replace: true }));
  return (
    <AuthLayout title={copy.doneTitle}>
      <Notice tone="done">{copy.done}</Notice>
    </AuthLayout>
  );
}
