import type { FormEventHandler, ReactNode } from "react";
import { AppError, CLOSED, errorMessage, NETWORK } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { ListLink } from "../../../ui/lists/list-link.tsx";
import { WayToPlans } from "../../../ui/plans/way-to-plans.tsx";
import { CONFLICT } from "../stores.mutations.ts";
import { storeFormCopy as copy } from "./store-form.copy.ts";

type StoreFormFrameProps = {
  action: string;
  busy: boolean;
  /** Required fields are still blank. */
  incomplete?: boolean;
  /** Why it was not saved. */
  error: unknown;
  isNew?: boolean;
  onSubmit: FormEventHandler;
  /** Reads the store anew, giving up what was typed. */
  onReload?: () => void;
  children: ReactNode;
};

/** Frame around the fields of every form of a store. */
export function StoreFormFrame(props: StoreFormFrameProps) {
  const { action, busy, incomplete = false, error, isNew = false } = props;
  const { onSubmit, onReload, children } = props;
  const isConflict = error instanceof AppError && error.code === CONFLICT;
  return (
    <form
      noValidate
      onSubmit={onSubmit}
      className="grid gap-6 rounded-card bg-surface p-5 shadow-card sm:p-6"
    >
      {children}
      {error !== null && (
        <Alert>
          <p>{storeFailure(error, isNew)}</p>
          <WayToPlans error={error} />
          {isConflict && onReload && (
            <Button variant="secondary" className="mt-3" onClick={onReload}>
              {copy.failures.reload}
            </Button>
          )}
        </Alert>
      )}
      <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
        <ListLink to="/stores" className={buttonClass({ variant: "secondary" })}>
          {copy.cancel}
        </ListLink>
        <Button type="submit" busy={busy} incomplete={incomplete}>
          {action}
        </Button>
      </div>
    </form>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  TV003: copy.failures.limit,
  forbidden: copy.failures.forbidden,
  "23514": copy.failures.timezone,
  TV170: copy.failures.link,
  [NETWORK]: copy.failures.network,
};

/** Why a store was not created or changed (specification, section 8). */
function storeFailure(error: unknown, isNew: boolean): string {
  const code = error instanceof AppError ? error.code : "";
  if (CLOSED.includes(code)) return errorMessage(error);
  if (code === "23505") return copy.failures.taken;
  if (code === "TV023") return copy.failures.noOrganization;
  if (code === "TV050") return copy.failures.organization(copy.failures.unknown);
  if (code === CONFLICT) return copy.failures.conflict;
  const reason = REASONS[code];
  if (isNew) return reason ? copy.failures.other(reason) : copy.failures.fallback;
  return copy.failures.update(reason ?? copy.failures.unknown);
}
