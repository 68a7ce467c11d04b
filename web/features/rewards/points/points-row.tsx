import { Coins, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { PointsItem } from "#domain/schemas/points.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Switch } from "../../../ui/forms/switch.tsx";
import { MENU_ITEM, Menu } from "../../../ui/menu.tsx";
import { UNLIMITED } from "../whole-number.ts";
import { pointsCopy as copy } from "./points.copy.ts";
import { useOfferPointsReward, useRemovePointsReward } from "./points.mutations.ts";

type PointsRowProps = { item: PointsItem; onEdit: () => void };

/** Something that points buy, in the list. */
export function PointsRow({ item, onEdit }: PointsRowProps) {
  const { id, name, cost, stock, active, affordable, spends } = item;
  const { may } = useMay();
  const offer = useOfferPointsReward();
  const [isRemoving, setIsRemoving] = useState(false);
  // Shown at once; the list is asked anew once it is saved or refused.
  const isOffered = offer.isPending ? offer.variables.active : active;

  return (
    <li className="grid gap-3 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <span
          aria-hidden="true"
          className="grid size-12 shrink-0 place-items-center rounded-card bg-violet-soft text-violet"
        >
          <Coins className="size-6" />
        </span>
        <div className="grid min-w-0 flex-1 basis-52 gap-1.5">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="min-w-0 text-xl break-words">{name}</h2>
            <Badge tone="violet">{cost === 1 ? copy.one : copy.cost(formatNumber(cost))}</Badge>
            <Badge tone={isOffered ? "good" : "neutral"}>
              {isOffered ? copy.active : copy.inactive}
            </Badge>
          </div>
          <p className="text-muted">
            {[
              stock === UNLIMITED ? copy.unlimited : copy.left(formatNumber(stock)),
              copy.spends(formatNumber(spends)),
              copy.affordable(formatNumber(affordable)),
            ].join(" · ")}
          </p>
        </div>
        {may("rewards.write") && (
          <div className="flex items-center gap-3">
            <Switch
              label={copy.toggle(name)}
              checked={isOffered}
              onChange={(next) => offer.mutate({ id, active: next })}
            />
            <Menu label={copy.menu(name)}>
              <button type="button" role="menuitem" onClick={onEdit} className={MENU_ITEM}>
                <Pencil aria-hidden="true" className="size-5" />
                {copy.edit}
              </button>
              {may("rewards.delete") && (
                <button
                  type="button"
                  role="menuitem"
                  onClick={() => setIsRemoving(true)}
                  className={`${MENU_ITEM} text-coral-ink`}
                >
                  <Trash2 aria-hidden="true" className="size-5" />
                  {copy.remove}
                </button>
              )}
            </Menu>
          </div>
        )}
      </div>
      {offer.isError && <Alert>{copy.toggleFailed}</Alert>}
      {isRemoving && <RemoveDialog item={item} onClose={() => setIsRemoving(false)} />}
    </li>
  );
}

function RemoveDialog({ item, onClose }: { item: PointsItem; onClose: () => void }) {
  const remove = useRemovePointsReward();
  return (
    <ConfirmDialog
      title={copy.removeTitle(item.name)}
      action={copy.remove}
      busy={remove.isPending}
      problem={remove.isError ? errorMessage(remove.error) : null}
      onConfirm={() => remove.mutate(item.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{copy.removeText}</p>
    </ConfirmDialog>
  );
}
