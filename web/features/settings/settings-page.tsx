import { useQuery } from "@tanstack/react-query";
import { Link, lazyRouteComponent, useNavigate } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { type ReactNode, Suspense, useCallback, useId, useState } from "react";
import type { Settings } from "#domain/schemas/settings.ts";
import { useApp } from "../../lib/app-context.ts";
import { formatDate } from "../../lib/format.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import type { SettingsSection } from "../../lib/settings/settings-section.ts";
import { useMay } from "../../lib/use-may.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Modal } from "../../ui/modal.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { LoadProblem } from "../../ui/states/load-problem.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { uiCopy } from "../../ui/ui.copy.ts";
import { useLeaveWarning } from "../../ui/unsaved/use-leave-warning.tsx";
import { CardSkeleton, Fact, PublicPageLink } from "./card-parts.tsx";
import { settingsCopy as copy } from "./settings.copy.ts";
import { settingsQuery } from "./settings.queries.ts";
import { SettingsMenu } from "./settings-menu.tsx";
import type { RemoveStore } from "./stores-card.tsx";

const OrganizationCard = lazyRouteComponent(
  () => import("./organization/organization-card.tsx"),
  "OrganizationCard",
);
const StoresCard = lazyRouteComponent(() => import("./stores-card.tsx"), "StoresCard");
const NotificationsCard = lazyRouteComponent(
  () => import("./notifications-card.tsx"),
  "NotificationsCard",
);
const SubscriptionCard = lazyRouteComponent(
  () => import("./subscription/subscription-card.tsx"),
  "SubscriptionCard",
);
const DataCard = lazyRouteComponent(() => import("./own-data/data-card.tsx"), "DataCard");

type SettingsPageProps = {
  orgId: string;
  /** Section that the address names; undefined for the list of sections. */
  section: SettingsSection | undefined;
  /** Whether the address asks for the payment portal. */
  isPaying: boolean;
  /** The card « Équipe », which belongs to another feature. */
  team: ReactNode;
  /** Push messages to one's own devices, likewise. */
  push: ReactNode;
  removeStore: RemoveStore;
};

/** `/settings`: what an organisation is, a section at a time (specification, section 2.19). */
export function SettingsPage({ orgId, section, ...others }: SettingsPageProps) {
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
    <Sections
      section={section}
      settings={data}
      subscription={data.subscription}
      {...others}
      onReload={reload}
    />
  );
}

type SectionsProps = Omit<SettingsPageProps, "orgId"> & {
  settings: Settings;
  subscription: NonNullable<Settings["subscription"]>;
  onReload: () => Promise<Settings["organization"] | undefined>;
};

/** The menu, and the section that the address names. A phone has the menu first, and the section on a page of its own. */
function Sections({ section, settings, ...props }: SectionsProps) {
  const current = section ?? "organization";
  const { organization } = settings;
  return (
    <div className="grid gap-8">
      <div className="grid gap-3">
        {section && (
          <Link
            to="/settings"
            className="-my-2 inline-flex min-h-11 items-center gap-2 justify-self-start rounded-field font-semibold text-muted hover:text-ink lg:hidden"
          >
            <ArrowLeft aria-hidden="true" className="size-5" />
            {copy.menu.back}
          </Link>
        )}
        <PageHeader title={copy.title} text={organization.name} />
      </div>
      <div className="grid items-start gap-8 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <div className={section && "max-lg:hidden"}>
          <SettingsMenu current={current} />
        </div>
        <div
          key={current}
          className={`grid min-w-0 max-w-3xl gap-6 ${section ? "" : "max-lg:hidden"}`}
        >
          <Suspense fallback={<CardSkeleton />}>
            <Section {...props} section={current} settings={settings} />
          </Suspense>
        </div>
      </div>
    </div>
  );
}

function Section(props: SectionsProps & { section: SettingsSection }) {
  const { section, settings, subscription, isPaying, team, push, removeStore, onReload } = props;
  const { organization, stores, notifications } = settings;
  const { may } = useMay();
  const [isUnsaved, setUnsaved] = useState(false);
  const leaveWarning = useLeaveWarning(isUnsaved);
  const onUnsaved = useCallback((isUnsaved: boolean) => setUnsaved(isUnsaved), []);
  switch (section) {
    case "organization":
      return (
        <>
          {may("organization.update") ? (
            <OrganizationCard
              organization={organization}
              onReload={onReload}
              onUnsaved={onUnsaved}
            />
          ) : (
            <OrganizationFacts {...organization} />
          )}
          <InformationCard {...organization} />
          {leaveWarning}
        </>
      );
    case "stores":
      return (
        <StoresCard
          stores={stores}
          mayWrite={may("stores.write")}
          mayDelete={may("stores.delete")}
          removeStore={removeStore}
        />
      );
    case "team":
      return team;
    case "notifications":
      return (
        <>
          <NotificationsCard
            orgId={organization.id}
            notifications={notifications}
            onUnsaved={onUnsaved}
          />
          {push}
          {leaveWarning}
        </>
      );
    case "subscription":
      return (
        <SubscriptionCard
          subscription={subscription}
          mayManage={may("billing.manage")}
          isPaying={isPaying}
        />
      );
    case "data":
      return may("organization.export") ? (
        <DataCard organization={organization} subscription={subscription} />
      ) : (
        <InformationCard {...organization} />
      );
  }
}

/** Since when the organisation exists, and the identifier that support asks for. */
function InformationCard({ id, created_at }: Settings["organization"]) {
  return (
    <TitledCard title={copy.information.title}>
      <dl className="grid gap-4">
        <Fact label={copy.information.created}>{formatDate(new Date(created_at))}</Fact>
        <Fact label={copy.information.id}>
          <span className="text-sm tabular-nums">{id}</span>
        </Fact>
      </dl>
      <div>
        <CopyButton
          text={id}
          label={copy.information.copy}
          subject={copy.information.id}
          copied={copy.information.copied}
        />
      </div>
    </TitledCard>
  );
}

/** Without a subscription there is nothing to set: says so, and goes on to the plans. */
function NoPlan() {
  const id = useId();
  const navigate = useNavigate();
  const leave = () => navigate({ to: "/pricing", replace: true });
  return (
    <Modal look="card" role="alertdialog" aria-labelledby={id} onClose={leave} className="w-md p-6">
      <div className="grid gap-5">
        <p id={id} className="text-lg font-semibold text-pretty">
          {copy.noPlan.text}
        </p>
        <div className="flex justify-end">
          <Button onClick={leave}>{copy.noPlan.choose}</Button>
        </div>
      </div>
    </Modal>
  );
}

/** Name and public address of the organisation, for members who may only read them. */
function OrganizationFacts({ name, slug }: Settings["organization"]) {
  return (
    <TitledCard
      title={copy.organization.title}
      text={copy.organization.readOnly}
      action={<PublicPageLink slug={slug} />}
    >
      <dl className="grid gap-4 sm:grid-cols-2">
        <Fact label={copy.organization.name}>{name}</Fact>
        <Fact label={copy.organization.slug}>
          {copy.organization.slugPrefix}
          {slug}
        </Fact>
      </dl>
    </TitledCard>
  );
}

/** The shape of the settings while they are on their way. */
function SettingsSkeleton() {
  return (
    <div className="grid gap-8">
      <h1 className="text-2xl sm:text-3xl">{copy.title}</h1>
      <p role="status" className="sr-only">
        {uiCopy.loading}
      </p>
      <div
        aria-hidden="true"
        className="grid animate-pulse items-start gap-8 lg:grid-cols-[17rem_minmax(0,1fr)]"
      >
        <div className="h-96 rounded-card bg-surface shadow-card" />
        <div className="h-80 max-w-3xl rounded-card bg-surface shadow-card max-lg:hidden" />
      </div>
    </div>
  );
}
