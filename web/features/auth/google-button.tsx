import { useRestored } from "../../lib/use-restored.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { GoogleMark } from "../../ui/google-mark.tsx";
import { authCopy } from "./auth.copy.ts";
import { useGoogle } from "./auth.mutations.ts";

const copy = authCopy.google;

/** Signing in, or up, with Google. */
export function GoogleButton({ target }: { target: string }) {
  const google = useGoogle(target);
  useRestored(google.reset);
  return (
    <div className="grid gap-4">
      {google.isError && <Alert>{copy.failed}</Alert>}
      <Button
        variant="secondary"
        size="lg"
        className="w-full"
        // What follows is Google's page: the button stays at work until then.
        busy={google.isPending || google.isSuccess}
        onClick={() => google.mutate()}
      >
        <GoogleMark />
        {copy.submit}
      </Button>
      <div className="flex items-center gap-4 text-sm text-muted">
        <span className="h-px flex-1 bg-line" />
        {copy.or}
        <span className="h-px flex-1 bg-line" />
      </div>
    </div>
  );
}
