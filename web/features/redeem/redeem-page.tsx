import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Workspace } from "#domain/schemas/workspace.ts";
import { useApp } from "../../lib/app-context.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { useSignOut } from "../../lib/auth/use-sign-out.ts";
import { isCashier } from "../../lib/back-office.ts";
import { deviceMemory } from "../../lib/device-memory.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { mayOpen } from "../../lib/screens.ts";
import { chosenStore, STORE_KEY } from "../../lib/store-choice.ts";
import { workspaceQuery } from "../../lib/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { LoadingScreen } from "../../ui/states/loading-screen.tsx";
import { MessageScreen } from "../../ui/states/message-screen.tsx";
import { redeemCopy } from "./redeem.copy.ts";
import { Till } from "./till/till.tsx";
import { useIsOffline } from "./till/use-is-offline.ts";

const copy = redeemCopy.access;

/** Whether the user may open the stores, and may activate one. */
function mayMakeStore(workspace: Workspace): boolean {
  return !isCashier(workspace) && mayOpen(workspace.permissions, "/stores/new");
}

function whyNot(workspace: Workspace) {
  if (!workspace.organization) {
    if (workspace.ended_access) return copy.ended(workspace.ended_access);
    return workspace.has_erased_organization ? copy.erased : copy.noOrganization;
  }
  if (!mayOpen(workspace.permissions, "/encaisser")) return copy.forbidden;
  return workspace.stores.length === 0 ? withoutStore(workspace) : null;
}

/** State where no store is in use, and the action for each role. */
function withoutStore(workspace: Workspace) {
  const canMend = mayMakeStore(workspace);
  if (workspace.has_archived_store) return canMend ? copy.restoreStore : copy.archivedStore;
  return canMend ? copy.createStore : copy.noStore;
}

/** The way to a store in use: out of the archive, or a new one. */
function WaysToStore({ hasArchived }: { hasArchived: boolean }) {
  return (
    <>
      {hasArchived && (
        <Link to="/stores" search={{ archived: true }} className={buttonClass()}>
          {copy.toArchivedStores}
        </Link>
      )}
      <Link
        to="/stores/new"
        className={buttonClass({ variant: hasArchived ? "secondary" : "primary" })}
      >
        {copy.toNewStore}
      </Link>
    </>
  );
}

/** `/encaisser`: the till, for those who may use it at one of their stores. */
export function RedeemPage() {
  usePageTitle(redeemCopy.pageTitle);
  useInstallable();
  const isOffline = useIsOffline();
  const { supabase } = useApp();
  const workspace = useQuery(workspaceQuery(supabase));
  const signOut = useSignOut();
  const [storeId, setStoreId] = useState(() => deviceMemory.read(STORE_KEY));
  const hasNewRole = useNewRole();

  const leave = (
    <Button variant="secondary" busy={signOut.isPending} onClick={() => signOut.mutate()}>
      {redeemCopy.header.signOut}
    </Button>
  );

  if (workspace.isPending) return <LoadingScreen text={redeemCopy.loading} />;
  if (workspace.isError) {
    return (
      <MessageScreen
        title={copy.loadFailed}
        text={isOffline ? redeemCopy.offline : errorMessage(workspace.error)}
      >
        {leave}
        <Button busy={workspace.isFetching} onClick={() => workspace.refetch()}>
          {copy.retry}
        </Button>
      </MessageScreen>
    );
  }

  const refusal = whyNot(workspace.data);
  const store = chosenStore(workspace.data.stores, storeId);
  if (refusal || !store) {
    const { title, text } = refusal ?? withoutStore(workspace.data);
    const canMend = refusal === copy.restoreStore || refusal === copy.createStore;
    return (
      <MessageScreen title={title} text={hasNewRole ? `${redeemCopy.newRole} ${text}` : text}>
        <Link to="/settings/account" className={buttonClass({ variant: "quiet" })}>
          {redeemCopy.header.account}
        </Link>
        {leave}
        {!workspace.data.organization && (
          <Link to="/onboarding" className={buttonClass()}>
            {copy.toStart}
          </Link>
        )}
        {canMend && <WaysToStore hasArchived={workspace.data.has_archived_store} />}
      </MessageScreen>
    );
  }

  return (
    <Till
      key={store.id}
      hasNewRole={hasNewRole}
      store={store}
      stores={workspace.data.stores}
      onStoreChange={(id) => {
        deviceMemory.write(STORE_KEY, id);
        setStoreId(id);
      }}
    />
  );
}

/** Whether the back-office led here since the role changed; news once, which a reload does not tell again. */
function useNewRole(): boolean {
  const isNews = useLocation({ select: ({ state }) => state.hasNewRole ?? false });
  const [hasNewRole] = useState(isNews);
  const navigate = useNavigate();
  useEffect(() => {
    if (isNews) navigate({ to: "/encaisser", replace: true });
  }, [isNews, navigate]);
  return hasNewRole;
}

const LINKS = [
  { rel: "manifest", href: "/encaisser.webmanifest" },
  { rel: "apple-touch-icon", href: "/icons/apple-touch-icon.png" },
];

/** Files of this build that the page has fetched so far. */
function fetchedFiles(): string[] {
  const files = performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name, location.href))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"))
    .map(({ pathname }) => pathname);
  return [...new Set(files)];
}

async function keepShell(): Promise<void> {
  await navigator.serviceWorker.register("/till-worker.js", { scope: "/encaisser" });
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ files: fetchedFiles() });
}

/** Lets a phone install the till, and open it at once; nothing of it while developing. */
function useInstallable(): void {
  useEffect(() => {
    const links = LINKS.map((attributes) =>
      document.head.appendChild(Object.assign(document.createElement("link"), attributes)),
    );
    if (import.meta.env.PROD && "serviceWorker" in navigator) keepShell().catch(() => {});
    return () => {
      for (const link of links) link.remove();
    };
  }, []);
}
