import { useNavigate } from "@tanstack/react-router";
import { useApp } from "../../lib/app-context.ts";
import type { ArrivalProblem } from "../../lib/arrival-problem.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { authCopy } from "./auth.copy.ts";
import { AuthLayout } from "./auth-layout.tsx";

const copy = authCopy.stillSignedIn;

type StillSignedInProps = { problem: ArrivalProblem; target: string };

/** Somebody who is signed in came by a link that did not work: it took nothing from them, and says so. */
export function StillSignedIn({ problem, target }: StillSignedInProps) {
  usePageTitle(copy.title);
  const { auth } = useApp();
  const navigate = useNavigate();
  const words: Readonly<Record<string, string>> = copy.codes;
  return (
    <AuthLayout title={copy.title}>
      <Alert>
        {auth.googleErrand() ? authCopy.google.failed : (words[problem.code] ?? copy.failed)}
      </Alert>
      <Button
        size="lg"
        onClick={() => {
          auth.forgetArrival();
          void navigate({ href: target, replace: true });
        }}
      >
        {copy.next}
      </Button>
    </AuthLayout>
  );
}
