import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { PushSettings } from "#domain/schemas/settings.ts";
import { useApp } from "../../lib/app-context.ts";
import { formatDate } from "../../lib/format.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { type PushSupport, pushSupport } from "../../lib/push/push-support.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { Notice } from "../../ui/notice.tsx";
import { LoadProblem } from "../../ui/states/load-problem.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { pushCopy as copy } from "./push.copy.ts";
import { useRemoveDevice, useSaveKinds, useTurnOn } from "./push.mutations.ts";
import { pushQuery } from "./push.queries.ts";
import { pushFailure } from "./push-failure.ts";

const WORDS = {
  blocked: copy.blocked,
  to_install: copy.toInstall,
  none: copy.none,
} as const satisfies Record<Exclude<PushSupport, "ready">, string>;

/** Steps that make a window of the home screen's icon, in which iPhone and iPad show messages. */
const INSTALLATION = (
  <>
    <link rel="manifest" href="/bureau.webmanifest" />
    <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
  </>
);

/** Push messages on one's own devices, with their list; nothing where the platform sends none. */
export function PushCard({ orgId }: { orgId: string }) {
  const { config, supabase } = useApp();
  const support = pushSupport(config);
  const query = useQuery({ ...pushQuery(supabase, orgId), enabled: support !== null });
  const { data } = query;
  if (support === null) return null;
  if (query.isError && !data) {
    return (
      <LoadProblem
        title={copy.title}
        text={loadFailure(query.error, copy.loadFailed)}
        isRetrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  return (
    <TitledCard title={copy.title} text={copy.text}>
      {data ? (
        <Devices orgId={orgId} settings={data} support={support} />
      ) : (
        <div aria-hidden="true" className="h-40 animate-pulse rounded-field bg-line/60" />
      )}
    </TitledCard>
  );
}

type DevicesProps = { orgId: string; settings: PushSettings; support: PushSupport };

function Devices({ orgId, settings, support }: DevicesProps) {
  const hint = useId();
  const turnOn = useTurnOn(orgId);
  const remove = useRemoveDevice();
  const kinds = useSaveKinds(orgId);
  const { devices } = settings;
  const current = devices.find(({ is_current }) => is_current);
  // A switch shows its new state at once.
  const { low_ratings, low_stock } = (kinds.isPending && kinds.variables) || settings;
  // A lost answer to what was done after all is no failure.
  const error = (current ? null : turnOn.error) ?? remove.error ?? kinds.error;
  const others = devices.filter(({ is_current }) => !is_current);
  return (
    <div className="grid gap-6">
      {current ? (
        <div className="grid justify-items-start gap-3">
          <Notice tone="done">{copy.isOn}</Notice>
          <Button
            variant="secondary"
            busy={remove.isPending && remove.variables.id === current.id}
            onClick={() => {
              turnOn.reset();
              remove.mutate(current);
            }}
          >
            {copy.turnOff}
          </Button>
        </div>
      ) : support === "ready" ? (
        <div>
          <Button
            variant="secondary"
            busy={turnOn.isPending}
            onClick={() => {
              remove.reset();
              turnOn.mutate();
            }}
          >
            {copy.turnOn}
          </Button>
        </div>
      ) : (
        <p className="text-pretty text-muted">{WORDS[support]}</p>
      )}
      {support === "to_install" && INSTALLATION}
      {error && <Alert>{pushFailure(error)}</Alert>}
      {devices.length > 0 && (
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-semibold">{copy.what}</legend>
          <Switch
            label={copy.lowRatings}
            hasText
            checked={low_ratings}
            onChange={(checked) => kinds.mutate({ low_ratings: checked, low_stock })}
          />
          <div className="grid">
            <Switch
              label={copy.lowStock}
              hasText
              checked={low_stock}
              describedBy={hint}
              onChange={(checked) => kinds.mutate({ low_ratings, low_stock: checked })}
            />
            <p id={hint} className="pl-15 text-sm text-muted">
              {copy.lowStockHint}
            </p>
          </div>
        </fieldset>
      )}
      {others.length > 0 && (
        <div className="grid gap-2">
          <h3 className="font-sans text-base font-semibold tracking-normal">{copy.devices}</h3>
          <ul aria-label={copy.devices} className="grid divide-y divide-line">
            {others.map((device) => (
              <li key={device.id} className="flex flex-wrap items-center gap-3 py-2">
                <div className="grid min-w-0 flex-1">
                  <span className="wrap-anywhere">{device.label}</span>
                  <span className="text-sm text-muted">
                    {device.last_used_at
                      ? copy.lastTold(formatDate(new Date(device.last_used_at)))
                      : copy.added(formatDate(new Date(device.created_at)))}
                  </span>
                </div>
                <Button
                  variant="quiet"
                  aria-label={copy.removeOf(device.label)}
                  busy={remove.isPending && remove.variables.id === device.id}
                  onClick={() => remove.mutate(device)}
                >
                  {copy.remove}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
