import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { type DeletionSummary, deletionSummary } from "#domain/schemas/settings.ts";
import { seenText } from "#domain/text/seen-text.ts";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, dataError } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button, ButtonRow } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { SegmentSpinner } from "../../../ui/states/segment-spinner.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";
import { saveFailure } from "../failures.ts";
import { SETTINGS } from "../settings.queries.ts";
import { PortalButton } from "../subscription/portal-button.tsx";
import { endDialogCopy as copy } from "./end-dialog.copy.ts";

const GOES = ["stores", "campaigns", "customers", "reviews", "codes", "members"] as const;

/** Another name was typed: the database alone knows which are the same on a keyboard. */
const OTHER_NAME = "TV106";

/** Refusals of the database for an end that cannot be. */
const REFUSALS = {
  TV107: copy.already,
  TV108: copy.payments,
  forbidden: copy.forbidden,
} as const;

type EndDialogProps = {
  orgId: string;
  name: string;
  /** The payment provider's number of the organisation, whose portal ends what is charged. */
  customerId: string | null;
  onClose: () => void;
};

/** The last question before an organisation ends: says what goes, and wants its name typed. */
export function EndDialog({ orgId, name, customerId, onClose }: EndDialogProps) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState("");
  const [mistake, setMistake] = useState<string | undefined>();
  const goes = useQuery({
    queryKey: [SETTINGS, orgId, "what goes"],
    queryFn: async () => {
      const answer = await supabase.rpc("deletion_summary", { p_org_id: orgId });
      if (answer.error) throw dataError(answer);
      return deletionSummary.parse(answer.data);
    },
    gcTime: 0,
    staleTime: 0,
    // A cancellation may have been made in the portal.
    refetchOnWindowFocus: true,
  });
  const end = useMutation({
    mutationFn: async () => {
      const answer = await supabase.rpc("end_organization", { p_name: typed });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      onClose();
    },
    onError: (error) => {
      if (isOtherName(error)) setMistake(copy.otherName);
      // A plan that was chosen meanwhile stands in the way from now on, with the way to its portal.
      goes.refetch();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const isTyped = seenText(typed) !== "";
    setMistake(isTyped ? undefined : copy.otherName);
    if (isTyped && !end.isPending) end.mutate();
  };
  return (
    <Dialog
      title={copy.title(name)}
      width="w-lg"
      locked={end.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {goes.isPending && <SegmentSpinner className="size-8" />}
      {goes.isError && (
        <LoadProblem
          title={copy.loadFailed}
          text={saveFailure(goes.error)}
          onRetry={() => goes.refetch()}
          isRetrying={goes.isFetching}
        />
      )}
      {goes.data && (
        <>
          <WhatGoesList goes={goes.data} />
          {goes.data.has_running_payments ? (
            <>
              <Alert>{copy.payments}</Alert>
              {customerId && <PortalButton customerId={customerId} />}
            </>
          ) : (
            <Field label={`${copy.typeName} : ${name}`} error={mistake}>
              {(field) => (
                <TextInput
                  {...field}
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                />
              )}
            </Field>
          )}
        </>
      )}
      {end.isError && !isOtherName(end.error) && !goes.data?.has_running_payments && (
        <Alert>{saveFailure(end.error, REFUSALS)}</Alert>
      )}
      <ButtonRow>
        <Button variant="secondary" waiting={end.isPending} onClick={onClose}>
          {uiCopy.cancel}
        </Button>
        {goes.data && !goes.data.has_running_payments && (
          <Button type="submit" busy={end.isPending}>
            {copy.confirm}
          </Button>
        )}
      </ButtonRow>
    </Dialog>
  );
}

function isOtherName(error: unknown): boolean {
  return error instanceof AppError && error.code === OTHER_NAME;
}

function WhatGoesList({ goes }: { goes: DeletionSummary }) {
  return (
    <div className="grid gap-3">
      <p className="text-pretty">{copy.intro}</p>
      <ul className="grid list-disc gap-1 pl-6 font-semibold">
        {GOES.filter((name) => goes[name] > 0).map((name) => (
          <li key={name}>{copy.goes[name](goes[name])}</li>
        ))}
      </ul>
      <p className="text-sm text-pretty text-muted">{copy.keeps}</p>
    </div>
  );
}
