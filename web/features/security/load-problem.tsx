import { errorMessage } from "../../lib/app-error.ts";
import { authErrorsCopy } from "../../lib/auth/auth-errors.copy.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { securityCopy } from "./security.copy.ts";

type Loading = { error: Error | null; isFetching: boolean; refetch: () => unknown };

/** That something could not be loaded, why, and the way to try again. */
export function LoadProblem({ loading }: { loading: Loading }) {
  if (!loading.error) return null;
  return (
    <Alert>
      <p>{securityCopy.loadFailed}</p>
      <p className="font-normal">{errorMessage(loading.error, authErrorsCopy)}</p>
      <Button
        variant="secondary"
        className="mt-3"
        busy={loading.isFetching}
        onClick={() => loading.refetch()}
      >
        {securityCopy.retry}
      </Button>
    </Alert>
  );
}
