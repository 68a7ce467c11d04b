import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { RewardItem } from "#domain/schemas/rewards.ts";
import { useApp } from "../../lib/app-context.ts";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { Field } from "../../ui/forms/field.tsx";
import { SelectInput } from "../../ui/forms/select-input.tsx";
import { LoadProblem } from "../../ui/states/load-problem.tsx";
import { uiCopy } from "../../ui/ui.copy.ts";
import { useModal } from "../../ui/use-modal.ts";
import { rewardsCopy } from "./rewards.copy.ts";
import { wheelChoicesQuery } from "./rewards.queries.ts";

const copy = rewardsCopy.share;

type ShareDialogProps = { orgId: string; reward: RewardItem; onClose: () => void };

/** Chooses another campaign for a reward and leads to its wheel, where the odds are seen before anything is saved. */
export function ShareDialog({ orgId, reward, onClose }: ShareDialogProps) {
  const { supabase } = useApp();
  const dialog = useModal();
  const titleId = useId();
  const [chosen, setChosen] = useState("");
  const campaigns = useQuery(wheelChoicesQuery(supabase, orgId));
  const taken = [reward.campaign_id, ...reward.shared_with.map(({ id }) => id)];
  const choices = campaigns.data?.filter(({ id }) => !taken.includes(id));
  const campaignId = chosen || choices?.[0]?.id;
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-card bg-surface p-6 text-ink shadow-card backdrop:bg-ink/50 dark:backdrop:bg-black/60"
    >
      <div className="grid gap-5">
        <h2 id={titleId} className="text-xl wrap-anywhere">
          {copy.title(reward.name)}
        </h2>
        <p className="text-pretty text-muted">{copy.text}</p>
        {campaigns.isError && !campaigns.data && (
          <LoadProblem
            text={copy.loadFailed}
            onRetry={() => campaigns.refetch()}
            isRetrying={campaigns.isFetching}
          />
        )}
        {choices?.length === 0 && <p className="text-pretty">{copy.none}</p>}
        {choices && choices.length > 0 && (
          <Field label={copy.campaign}>
            {(field) => (
              <SelectInput
                {...field}
                value={campaignId}
                onChange={(event) => setChosen(event.target.value)}
              >
                {choices.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </SelectInput>
            )}
          </Field>
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {uiCopy.cancel}
          </Button>
          {campaignId && (
            <Link
              to="/campaigns/$campaignId/edit"
              params={{ campaignId }}
              search={{ reward: reward.id }}
              className={buttonClass()}
            >
              {copy.action}
            </Link>
          )}
        </div>
      </div>
    </dialog>
  );
}
