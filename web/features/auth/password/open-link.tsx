import { useLocation, useNavigate } from "@tanstack/react-router";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { authCopy } from "../auth.copy.ts";
import type { useOpenRecovery } from "../auth.mutations.ts";
import { AuthLayout } from "../auth-layout.tsx";

const copy = authCopy.reset;

/** Token of the mail's link, in the page's fragment until it is used up; null without one. */
export function useRecoveryToken(): string | null {
  const hash = useLocation({ select: (location) => location.hash });
  return new URLSearchParams(hash).get("recovery");
}

/** The press that uses the link up: what only looks at it, as a mail's scanner does, leaves it as it is. */
export function OpenLink({
  token,
  open,
}: {
  token: string;
  open: ReturnType<typeof useOpenRecovery>;
}) {
  usePageTitle(copy.title);
  const navigate = useNavigate();
  const leave = () => void navigate({ to: "/auth/reset-password", hash: "", replace: true });
  return (
    <AuthLayout title={copy.title} text={copy.openText}>
      {open.error && <Alert>{errorMessage(open.error, authErrorsCopy)}</Alert>}
      <Button
        size="lg"
        className="w-full"
        busy={open.isPending}
        onClick={() => open.mutate(token, { onSuccess: leave })}
      >
        {copy.open}
      </Button>
    </AuthLayout>
  );
}
