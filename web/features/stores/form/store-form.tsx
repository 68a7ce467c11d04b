import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEventHandler, type ReactNode, useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import type { StoreRow } from "#domain/schemas/stores.ts";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, CLOSED, errorMessage, NETWORK } from "../../../lib/app-error.ts";
import { useWayBack } from "../../../lib/lists/visited.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button, ButtonRow } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { ReviewLinkField } from "../../../ui/forms/review-link-field.tsx";
import { ListLink } from "../../../ui/lists/list-link.tsx";
import { WayToPlans } from "../../../ui/plans/way-to-plans.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { MissingPage } from "../../../ui/states/missing-page.tsx";
import { storesCopy } from "../stores.copy.ts";
import { CONFLICT } from "../stores.mutations.ts";
import { storeQuery } from "../stores.queries.ts";
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
      <ButtonRow isWide>
        <ListLink to="/stores" className={buttonClass({ variant: "secondary" })}>
          {copy.cancel}
        </ListLink>
        <Button type="submit" busy={busy} incomplete={incomplete}>
          {action}
        </Button>
      </ButtonRow>
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

type UrlFieldProps = {
  field: UseFormRegisterReturn;
  value: { url: string; confirmedHost: string };
  errors: { url?: { message?: string }; confirmedHost?: { message?: string } };
  onConfirm: (host: string) => void;
};

/** Address of the store's public reviews. */
export function UrlField({ field, value, errors, onConfirm }: UrlFieldProps) {
  return (
    <ReviewLinkField
      label={copy.url}
      hint={copy.urlHint}
      placeholder={copy.urlPlaceholder}
      field={field}
      value={value.url}
      error={errors.url?.message}
      confirmed={value.confirmedHost}
      onConfirm={onConfirm}
      confirmError={errors.confirmedHost?.message}
    />
  );
}

/** Goes back to the list once a form is saved: nothing is lost, so nothing is asked. */
export function useLeaveToList(): () => void {
  const navigate = useNavigate();
  const goBack = useWayBack("/stores");
  return () => {
    if (!goBack({ ignoreBlocker: true })) void navigate({ to: "/stores", ignoreBlocker: true });
  };
}

type WithStoreProps = {
  storeId: string;
  /** Renders the store as it was read; `reload` reads it anew and begins from there. */
  children: (store: StoreRow, reload: () => void) => ReactNode;
};

/** Loads the store that a form is about, once: what others save meanwhile does not change the fields. */
export function WithStore({ storeId, children }: WithStoreProps) {
  const { supabase } = useApp();
  const query = useQuery(storeQuery(supabase, storeId));
  const [reloads, setReloads] = useState(0);
  if (query.data === null) return <MissingPage {...storesCopy.notFound} to="/stores" />;
  if (query.isError && !query.data) {
    return (
      <LoadProblem
        text={loadFailure(query.error, storesCopy.loadFailed)}
        isRetrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  if (!query.data) return <ListSkeleton />;
  const reload = () => void query.refetch().then(() => setReloads(reloads + 1));
  return <div key={reloads}>{children(query.data, reload)}</div>;
}
