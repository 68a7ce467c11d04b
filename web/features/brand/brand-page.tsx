import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { BrandSettings } from "#domain/schemas/brand-settings.ts";
import { useApp } from "../../lib/app-context.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { LockedFeature } from "../../ui/plans/locked-feature.tsx";
import { ListSkeleton } from "../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../ui/states/load-problem.tsx";
import { useLeaveWarning } from "../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedInput } from "../../ui/unsaved/use-unsaved-input.tsx";
import { brandCopy as copy } from "./brand.copy.ts";
import { brandQuery } from "./brand.queries.ts";
import { ColorCard, isColor } from "./color-card.tsx";
import { LogoCard } from "./logo-card.tsx";
import { PhonePreview } from "./phone-preview.tsx";

/** `/settings/brand`: the merchant's own logo and colour, and what customers see of them. */
export function BrandPage({ orgId }: { orgId: string }) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const query = useQuery(brandQuery(supabase, orgId));
  if (query.isError && !query.data) {
    return (
      <LoadProblem
        text={loadFailure(query.error, copy.loadFailed)}
        isRetrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  return (
    <div className="mx-auto grid w-full max-w-5xl gap-8">
      <PageHeader
        back={{ to: "/settings", label: copy.back }}
        title={copy.title}
        text={copy.text}
      />
      {query.data ? <Brand key={orgId} orgId={orgId} settings={query.data} /> : <ListSkeleton />}
    </div>
  );
}

function Brand({ orgId, settings }: { orgId: string; settings: BrandSettings }) {
  const { brand, included } = settings;
  const [draft, setDraft] = useState<string | null>(brand?.color ?? null);
  const isUnsaved = draft !== (brand?.color ?? null);
  const leaveWarning = useLeaveWarning(included && isUnsaved);
  const found = useUnsavedInput({
    isUnsaved: included && isUnsaved,
    saved: () => ({ color: brand?.color ?? null }),
    typed: () => ({ color: draft }),
    put: ({ color }) => setDraft(color),
    drop: () => setDraft(brand?.color ?? null),
  });
  if (!included) return <LockedBrand isKept={brand !== null} />;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 gap-6">
        <LogoCard orgId={orgId} organization={settings.organization} logo={brand?.logo ?? null} />
        {found}
        <ColorCard orgId={orgId} saved={brand?.color ?? null} draft={draft} onDraft={setDraft} />
      </div>
      <PhonePreview
        settings={settings}
        color={draft !== null && isColor(draft) ? draft.toLowerCase() : null}
      />
      {leaveWarning}
    </div>
  );
}

/** In place of the cards where the plan shows the product's name: what Pro brings, and what is kept until then. */
function LockedBrand({ isKept }: { isKept: boolean }) {
  return (
    <LockedFeature title={copy.locked.title} text={copy.locked.text}>
      {isKept && <p className="max-w-[70ch] text-pretty text-muted">{copy.locked.kept}</p>}
    </LockedFeature>
  );
}
