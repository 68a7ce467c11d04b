import { useQuery } from "@tanstack/react-query";
import { lazyRouteComponent } from "@tanstack/react-router";
import { type ReactNode, Suspense, useCallback, useState } from "react";
import type { Settings } from "#domain/schemas/settings.ts";
import { useApp } from "../../lib/app-context.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useMay } from "../../lib/use-may.ts";
import { LoadProblem } from "../../ui/load-problem.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { useLeaveWarning } from "../../ui/use-leave-warning.tsx";
import { BrandCard } from "./brand-card.tsx";
import { CardSkeleton } from "./card-skeleton.tsx";
import { InformationCard } from "./information-card.tsx";
import { NoPlan } from "./no-plan.tsx";
import { NotificationsCard } from "./notifications-card.tsx";
import { OpeningsCard } from "./openings-card.tsx";
import { OrganizationCard } from "./organization-card.tsx";
import { OrganizationFacts } from "./organization-facts.tsx";
import { SecurityCard } from "./security-card.tsx";
import { settingsCopy as copy } from "./settings.copy.ts";
import { settingsQuery } from "./settings.queries.ts";
import { SettingsSkeleton } from "./settings-skeleton.tsx";
import { type RemoveStore, StoresCard } from "./stores-card.tsx";
import { SubscriptionCard } from "./subscription-card.tsx";

/** For owners alone, at the end of the page. */
const DataCard = lazyRouteComponent(() => import("./data-card.tsx"), "DataCard");

type SettingsPageProps = {
  orgId: string;
  /** The card « Équipe », which belongs to another feature. */
  team: ReactNode;
  removeStore: RemoveStore;
};

/** `/settings`: every card of what an organisation is (specification, section 2.19). */
export function SettingsPage({ orgId, team, removeStore }: SettingsPageProps) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const query = useQuery(settingsQuery(supabase, orgId));
  const { data } = query;
  if (query.isPending) return <SettingsSkeleton />;
  if (!data) {
    return (
      <LoadProblem
        text={loadFailure(query.error, copy.loadFailed)}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  if (!data.subscription) {
    return (
      <>
        <SettingsSkeleton />
        <NoPlan />
      </>
    );
  }
  const reload = async () => (await query.refetch()).data?.organization;
  return (
    <Cards
      settings={data}
      subscription={data.subscription}
      team={team}
      removeStore={removeStore}
      onReload={reload}
    />
  );
}

type CardsProps = Omit<SettingsPageProps, "orgId"> & {
  settings: Settings;
  subscription: NonNullable<Settings["subscription"]>;
  onReload: () => Promise<Settings["organization"] | undefined>;
};

function Cards({ settings, subscription, team, removeStore, onReload }: CardsProps) {
  const { organization, stores, notifications } = settings;
  const { may, mayOpen } = useMay();
  const [isNameUnsaved, setNameUnsaved] = useState(false);
  const [areChoicesUnsaved, setChoicesUnsaved] = useState(false);
  const leaveWarning = useLeaveWarning(isNameUnsaved || areChoicesUnsaved);
  const onNameUnsaved = useCallback((isUnsaved: boolean) => setNameUnsaved(isUnsaved), []);
  const onChoicesUnsaved = useCallback((isUnsaved: boolean) => setChoicesUnsaved(isUnsaved), []);
  return (
    <div className="grid gap-8">
      <PageHeader title={copy.title} text={organization.name} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-6">
          {may("organization.update") ? (
            <OrganizationCard
              organization={organization}
              onReload={onReload}
              onUnsaved={onNameUnsaved}
            />
          ) : (
            <OrganizationFacts {...organization} />
          )}
          <StoresCard
            stores={stores}
            mayWrite={may("stores.write")}
            mayDelete={may("stores.delete")}
            removeStore={removeStore}
          />
          {team}
          <NotificationsCard
            orgId={organization.id}
            notifications={notifications}
            onUnsaved={onChoicesUnsaved}
          />
        </div>
        <div className="grid min-w-0 gap-6">
          <SubscriptionCard subscription={subscription} mayManage={may("billing.manage")} />
          {mayOpen("/settings/brand") && <BrandCard />}
          <SecurityCard />
          <OpeningsCard />
          <InformationCard {...organization} />
          {may("organization.export") && (
            <Suspense fallback={<CardSkeleton />}>
              <DataCard organization={organization} subscription={subscription} />
            </Suspense>
          )}
        </div>
      </div>
      {leaveWarning}
    </div>
  );
}
