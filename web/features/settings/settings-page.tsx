import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps, lazyRouteComponent, useNavigate } from "@tanstack/react-router";
import {
  ChevronRight,
  KeyRound,
  KeySquare,
  type LucideIcon,
  MonitorSmartphone,
  Palette,
  ShieldCheck,
  Tags,
} from "lucide-react";
import { type ReactNode, Suspense, useCallback, useId, useState } from "react";
import type { Settings } from "#domain/schemas/settings.ts";
import { useApp } from "../../lib/app-context.ts";
import { formatDate } from "../../lib/format.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useMay } from "../../lib/use-may.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { LoadProblem } from "../../ui/load-problem.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { uiCopy } from "../../ui/ui.copy.ts";
import { useLeaveWarning } from "../../ui/use-leave-warning.tsx";
import { useModal } from "../../ui/use-modal.ts";
import { CardSkeleton } from "./card-skeleton.tsx";
import { Fact } from "./fact.tsx";
import { NotificationsCard } from "./notifications-card.tsx";
import { OrganizationCard } from "./organization-card.tsx";
import { PublicPageLink } from "./public-page-link.tsx";
import { settingsCopy as copy } from "./settings.copy.ts";
import { settingsQuery } from "./settings.queries.ts";
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

const PAGES = [{ to: "/settings/brand", label: copy.brand.link, icon: Palette }] as const;

/** The way to the organisation's own logo and colour. */
function BrandCard() {
  return (
    <TitledCard title={copy.brand.title} text={copy.brand.text}>
      <PageLinks pages={PAGES} />
    </TitledCard>
  );
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
  const dialog = useModal();
  const id = useId();
  const navigate = useNavigate();
  const leave = () => navigate({ to: "/pricing", replace: true });
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        void leave();
      }}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-card bg-surface p-6 text-ink shadow-card backdrop:bg-ink/50 dark:backdrop:bg-black/60"
    >
      <div className="grid gap-5">
        <p id={id} className="text-lg font-semibold text-pretty">
          {copy.noPlan.text}
        </p>
        <div className="flex justify-end">
          <Button onClick={leave}>{copy.noPlan.choose}</Button>
        </div>
      </div>
    </dialog>
  );
}

/** Name and public address of the organisation, for whoever may only read them. */
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

const CARDS = ["organization", "stores", "notifications"] as const;

/** The shape of the settings while they are on their way. */
function SettingsSkeleton() {
  return (
    <div className="grid gap-8">
      <h1 className="text-2xl sm:text-3xl">{copy.title}</h1>
      <p role="status" className="sr-only">
        {uiCopy.loading}
      </p>
      <div aria-hidden="true" className="grid animate-pulse gap-6 lg:grid-cols-[1fr_20rem]">
        <div className="grid gap-6">
          {CARDS.map((card) => (
            <div key={card} className="h-56 rounded-card bg-surface shadow-card" />
          ))}
        </div>
        <div className="grid content-start gap-6">
          {CARDS.map((card) => (
            <div key={card} className="h-44 rounded-card bg-surface shadow-card" />
          ))}
        </div>
      </div>
    </div>
  );
}

const OPENINGS = [
  {
    to: "/settings/roles",
    label: copy.openings.roles,
    icon: Tags,
    permission: "roles.manage",
  },
  {
    to: "/settings/api",
    label: copy.openings.api,
    icon: KeySquare,
    permission: "api.manage",
  },
] as const;

/** The ways to what opens the organisation to others: roles of its own, and keys for programs. */
function OpeningsCard() {
  const { may } = useMay();
  const pages = OPENINGS.filter(({ permission }) => may(permission));
  if (pages.length === 0) return null;
  return (
    <TitledCard title={copy.openings.title} text={copy.openings.text}>
      <PageLinks pages={pages} />
    </TitledCard>
  );
}

const SECURITY = [
  { to: "/settings/password", label: copy.security.password, icon: KeyRound },
  { to: "/settings/2fa", label: copy.security.factors, icon: ShieldCheck },
  { to: "/settings/sessions", label: copy.security.sessions, icon: MonitorSmartphone },
] as const;

/** The ways to the pages about the safety of one's own account. */
function SecurityCard() {
  return (
    <TitledCard title={copy.security.title} text={copy.security.text}>
      <PageLinks pages={SECURITY} />
    </TitledCard>
  );
}

type PageLink = { to: NonNullable<LinkProps["to"]>; label: string; icon: LucideIcon };

/** The ways from a card of the settings to pages of their own. */
function PageLinks({ pages }: { pages: readonly PageLink[] }) {
  return (
    <ul className="-mx-3 grid">
      {pages.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link
            to={to}
            className="flex min-h-12 items-center gap-3 rounded-field px-3 font-semibold hover:bg-line/60"
          >
            <Icon aria-hidden="true" className="size-5 text-muted" />
            <span className="flex-1">{label}</span>
            <ChevronRight aria-hidden="true" className="size-5 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
