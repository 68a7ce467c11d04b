import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useApp } from "../../lib/app-context.ts";
import { dataError, errorMessage } from "../../lib/app-error.ts";
import { formatDate } from "../../lib/format.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { endingCopy as copy } from "./ending-banner.copy.ts";

/** Says when an organisation will be deleted; lets everybody start afresh, and its owner undo the deletion. */
export function EndingBanner({ eraseAt }: { eraseAt: string }) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  const isOwner = useWorkspace()?.permissions.includes("organization.delete") ?? false;
  const keep = useMutation({
    mutationFn: async () => {
      const answer = await supabase.rpc("keep_organization");
      if (answer.error) throw dataError(answer);
    },
    onSuccess: () => queryClient.invalidateQueries(),
  });
  return (
    <div className="bg-coral-soft text-coral-ink">
      <div className="mx-auto grid max-w-6xl gap-2 px-4 py-3 sm:px-8 xl:max-w-7xl">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p role="status" className="flex min-w-0 flex-1 basis-72 gap-3 font-medium">
            <Trash2 aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
            {copy.text(formatDate(new Date(eraseAt)))}
          </p>
          <div className="flex flex-wrap gap-2">
            <Link to="/onboarding/organization" className={buttonClass({ variant: "quiet" })}>
              {copy.another}
            </Link>
            {isOwner && (
              <Button variant="secondary" busy={keep.isPending} onClick={() => keep.mutate()}>
                {copy.keep}
              </Button>
            )}
          </div>
        </div>
        {keep.isError && (
          <p role="alert">
            {errorMessage(keep.error, { TV109: copy.tooLate, unknown: copy.failed })}
          </p>
        )}
      </div>
    </div>
  );
}
