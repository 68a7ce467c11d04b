import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { AppError, CLOSED, errorMessage } from "../../../lib/app-error.ts";
import { useWayBack } from "../../../lib/lists/visited.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button, ButtonRow } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { ListLink } from "../../../ui/lists/list-link.tsx";
import { WayToPlans } from "../../../ui/plans/way-to-plans.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedForm } from "../../../ui/unsaved/use-unsaved-form.ts";
import { CONFLICT, useSaveReward } from "../rewards.mutations.ts";
import type { CampaignChoice } from "../rewards.queries.ts";
import { type RewardValues, rewardSchema, toWrite } from "./reward.schema.ts";
import { RewardCodeFields, RewardLimitFields, RewardWhatFields } from "./reward-fields.tsx";
import { rewardFormCopy } from "./reward-form.copy.ts";

const { failures } = rewardFormCopy;

/** SQLSTATE of a reference that does not hold: the reward's segment, or its campaign. */
const REFERENCE = "23503";

type RewardFormProps = {
  orgId: string;
  campaigns: CampaignChoice[];
  initial: RewardValues;
  /** The reward and its version when it was read; none when it is new. */
  existing?: { id: string; version: number };
  /** Reads the reward anew, giving up what was typed. */
  onReload?: () => void;
};

/** Creates or edits a reward. What was typed stays when saving fails. */
export function RewardForm({ orgId, campaigns, onReload, ...read }: RewardFormProps) {
  // The reward that this form was filled from; the page behind it may be read anew meanwhile.
  const [{ initial, existing }] = useState(read);
  const isNew = existing === undefined;
  const form = useForm<RewardValues>({
    defaultValues: initial,
    resolver: standardSchemaResolver(rewardSchema(isNew)),
  });
  const save = useSaveReward(orgId, existing);
  const navigate = useNavigate();
  const isUnsaved = form.formState.isDirty && !save.isSuccess;
  const warning = useLeaveWarning(isUnsaved);
  const found = useUnsavedForm(form, isUnsaved);
  const goBack = useRef(useWayBack("/rewards"));
  // Only once the warning knows that nothing is left to lose. What is new may not be where one came from.
  useEffect(() => {
    if (!save.isSuccess || (!isNew && goBack.current())) return;
    // The list says of a new one whether it can be won.
    void navigate({ to: "/rewards", search: isNew ? { made: save.data } : {} });
  }, [save.isSuccess, save.data, isNew, navigate]);

  const send = (values: RewardValues) => {
    if (save.isPending) return;
    const isStockTouched = isNew || values.stock.trim() !== initial.stock;
    save.mutate(toWrite(values, isStockTouched));
  };

  const code = save.error instanceof AppError ? save.error.code : null;
  const sentence = isNew ? failures.create : failures.update;
  return (
    <form noValidate className="grid gap-8" onSubmit={form.handleSubmit(send, save.reset)}>
      {found}
      <RewardWhatFields form={form} campaigns={campaigns} />
      <RewardLimitFields form={form} />
      <RewardCodeFields form={form} />
      {save.isError && (
        <Alert>
          <p>{failureText(save.error, code, sentence, isNew)}</p>
          <WayToPlans error={save.error} />
          {code === CONFLICT && onReload && (
            <Button variant="secondary" className="mt-3" onClick={onReload}>
              {failures.reload}
            </Button>
          )}
        </Alert>
      )}
      <ButtonRow isWide>
        <ListLink to="/rewards" className={buttonClass({ variant: "secondary" })}>
          {rewardFormCopy.cancel}
        </ListLink>
        <Button type="submit" busy={save.isPending}>
          {isNew ? rewardFormCopy.create : rewardFormCopy.save}
        </Button>
      </ButtonRow>
      {warning}
    </form>
  );
}

/** Sentence for a failure (specification, section 8), with advice where there is any. */
function failureText(error: Error, code: string | null, sentence: string, isNew: boolean): string {
  if (code === CONFLICT) return failures.conflict;
  if (code === REFERENCE) return isNew ? failures.campaignGone : failures.onWheel;
  if (code === "forbidden") return failures.forbidden;
  if (code !== null && CLOSED.includes(code)) return errorMessage(error);
  if (code === "network") return `${sentence}. ${errorMessage(error)}`;
  return sentence;
}
