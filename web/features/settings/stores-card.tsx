import { Link } from "@tanstack/react-router";
import { ExternalLink, Pencil, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { SettingsStore } from "#domain/schemas/settings.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { TitledCard } from "../../ui/titled-card.tsx";
import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.stores;

/** Asks for confirmation, and removes a store. */
export type RemoveStore = (asked: {
  store: SettingsStore;
  isLast: boolean;
  onClose: () => void;
}) => ReactNode;

type StoresCardProps = {
  stores: readonly SettingsStore[];
  mayWrite: boolean;
  mayDelete: boolean;
  removeStore: RemoveStore;
};

/** The stores in use, with the ways to their own pages. */
export function StoresCard({ stores, mayWrite, mayDelete, removeStore }: StoresCardProps) {
  const [leaving, setLeaving] = useState<SettingsStore | null>(null);
  const add = mayWrite && (
    <Link to="/stores/new" className={buttonClass({ variant: "secondary" })}>
      <Plus aria-hidden="true" className="size-5" />
      {copy.add}
    </Link>
  );
  return (
    <TitledCard title={copy.title} action={add}>
      {stores.length === 0 ? (
        <NoStore />
      ) : (
        <ul className="grid divide-y divide-line border-t border-line">
          {stores.map((store) => (
            <li
              key={store.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4 last:pb-0"
            >
              <StoreFacts store={store} />
              <div className="-mr-3 flex flex-wrap">
                {mayWrite && (
                  <Link
                    to="/stores/$storeId/edit"
                    params={{ storeId: store.id }}
                    aria-label={copy.editOf(store.name)}
                    className={buttonClass({ variant: "quiet" })}
                  >
                    <Pencil aria-hidden="true" className="size-5" />
                    <span className="max-sm:sr-only">{copy.edit}</span>
                  </Link>
                )}
                {mayDelete && (
                  <Button
                    variant="quiet"
                    aria-label={copy.removeOf(store.name)}
                    onClick={() => setLeaving(store)}
                  >
                    <Trash2 aria-hidden="true" className="size-5" />
                    <span className="max-sm:sr-only">{copy.remove}</span>
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {leaving &&
        removeStore({
          store: leaving,
          isLast: stores.length === 1,
          onClose: () => setLeaving(null),
        })}
    </TitledCard>
  );
}

/** In place of the stores: what one is for, or the way to those that are archived. */
function NoStore() {
  if (!useWorkspace()?.has_archived_store)
    return <p className="text-pretty text-muted">{copy.empty}</p>;
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-pretty text-muted">{copy.allArchived}</p>
      <Link
        to="/stores"
        search={{ archived: true }}
        className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
      >
        {copy.toArchived}
      </Link>
    </div>
  );
}

function StoreFacts({ store }: { store: SettingsStore }) {
  return (
    <div className="grid min-w-0 flex-1 basis-60 gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 font-semibold">{store.name}</p>
        <Badge tone={store.review_mode === "compliant" ? "good" : "careful"}>
          {copy.modes[store.review_mode]}
        </Badge>
      </div>
      <p className="text-muted">{store.address}</p>
      {store.google_review_url && (
        <p>
          <a
            href={store.google_review_url}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={copy.reviewsOf(store.name)}
            className="inline-flex min-h-11 items-center gap-2 font-semibold underline underline-offset-4"
          >
            {copy.reviews}
            <ExternalLink aria-hidden="true" className="size-4" />
          </a>
        </p>
      )}
    </div>
  );
}
