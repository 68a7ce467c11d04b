import { useQuery } from "@tanstack/react-query";
import { lazyRouteComponent } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { Suspense, useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { useSession } from "../../../lib/auth/use-session.ts";
import { useSignOut } from "../../../lib/auth/use-sign-out.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { authCopy } from "../auth.copy.ts";
import { AuthLayout } from "../auth-layout.tsx";
import { FactorForm } from "./factor-form.tsx";
import { secondFactorsQuery } from "./second-factor.queries.ts";

const copy = authCopy.secondFactor;

/** Form of recovery codes, loaded on demand: few people lose their factor. */
const RecoveryForm = lazyRouteComponent(() => import("./recovery-form.tsx"), "RecoveryForm");

/** After the password: the second factor, or a recovery code, or the way out. */
export function SecondFactorPage() {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const userId = useSession()?.user.id ?? "";
  const loaded = useQuery(secondFactorsQuery(supabase, userId));
  const [isRecovering, setIsRecovering] = useState(false);
  const signOut = useSignOut();

  return (
    <AuthLayout title={copy.title}>
      <div className="grid gap-6">
        {loaded.isPending && <p role="status">{copy.loading}</p>}
        {loaded.isError && (
          <Alert>
            <p>{errorMessage(loaded.error, authErrorsCopy)}</p>
            <Button
              variant="secondary"
              className="mt-3"
              busy={loaded.isFetching}
              onClick={() => loaded.refetch()}
            >
              {authCopy.captcha.retry}
            </Button>
          </Alert>
        )}
        {loaded.data &&
          (isRecovering ? (
            <Suspense>
              <RecoveryForm />
            </Suspense>
          ) : (
            <FactorForm factors={loaded.data.factors} />
          ))}
        <div className="flex flex-wrap justify-between gap-2">
          {loaded.data?.hasRecoveryCodes && (
            <Button
              variant="quiet"
              className="-ml-4"
              onClick={() => setIsRecovering(!isRecovering)}
            >
              {isRecovering ? copy.useFactor : copy.useRecovery}
            </Button>
          )}
          <Button
            variant="quiet"
            className="-ml-4"
            busy={signOut.isPending}
            onClick={() => signOut.mutate()}
          >
            <LogOut aria-hidden="true" className="size-5" />
            {copy.signOut}
          </Button>
        </div>
        {signOut.isError && <Alert>{errorMessage(signOut.error)}</Alert>}
      </div>
    </AuthLayout>
  );
}
