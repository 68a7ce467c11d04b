import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { SearchCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { CheckGroup } from "#domain/schemas/checks.ts";
import { useApp } from "../../../lib/app-context.ts";
import { CHECKS_HASH } from "../../../lib/campaign-links.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/forms/choice.tsx";
import { CursorPager } from "../../../ui/lists/cursor-pager.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { CheckGroupItem } from "./check-group-item.tsx";
import { DecidedGroup } from "./check-outcome.tsx";
import {
  type BegunSettings,
  type CheckDrafts,
  CheckSettingsSection,
} from "./check-settings-section.tsx";
import { checksCopy as copy } from "./checks.copy.ts";
import { checksQuery, type Outcome } from "./checks.queries.ts";

type Tab = "open" | "closed" | "settings";

const isNamed = () => location.hash.startsWith(`#${CHECKS_HASH}`);

/** The campaign whose settings the address asks for, if any. */
const namedCampaign = () => location.hash.slice(`#${CHECKS_HASH}-`.length);

/** The section of prizes to check: one line, which opens into the list. */
export function PrizeChecks({ orgId }: { orgId: string }) {
  const { supabase } = useApp();
  const [isOpen, setIsOpen] = useState(isNamed);
  const [drafts, setDrafts] = useState<CheckDrafts>({});
  const leaveWarning = useLeaveWarning(Object.keys(drafts).length > 0, true);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A link that names the section leads straight to it, below the figures.
    if (!isNamed()) return;
    place.current?.scrollIntoView();
    place.current?.focus({ preventScroll: true });
  }, []);
  const navigate = useNavigate();
  const waiting = useQuery(checksQuery(supabase, { orgId, isClosed: false, after: null }));
  const open = waiting.data?.open;
  const toggle = () => {
    setIsOpen(!isOpen);
    navigate({
      to: ".",
      search: true,
      hash: isOpen ? "" : CHECKS_HASH,
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <div
      ref={place}
      tabIndex={-1}
      className="scroll-mt-20 outline-none max-sm:group-has-data-first/list:hidden"
    >
      <TitledCard
        title={copy.title}
        text={open === undefined ? undefined : open > 0 ? copy.some(open) : copy.none}
        action={
          <Button
            variant={!isOpen && open ? "primary" : "secondary"}
            aria-expanded={isOpen}
            onClick={toggle}
          >
            {!isOpen && <SearchCheck aria-hidden="true" className="size-5" />}
            {isOpen ? copy.close : open ? copy.open : copy.look}
          </Button>
        }
      >
        {isOpen && <OpenChecks orgId={orgId} drafts={drafts} onDrafts={setDrafts} />}
      </TitledCard>
      {leaveWarning}
    </div>
  );
}

function OpenChecks({ orgId, ...begun }: { orgId: string } & BegunSettings) {
  const maySet = useMay().may("campaigns.write");
  const [wanted] = useState(namedCampaign);
  const [tab, setTab] = useState<Tab>(maySet && wanted ? "settings" : "open");
  const tabs: readonly Tab[] = maySet ? ["open", "closed", "settings"] : ["open", "closed"];
  return (
    <div className="grid gap-5">
      <p className="max-w-[70ch] text-pretty">{copy.intro}</p>
      <Choice
        label={copy.which}
        options={tabs.map((name) => ({ name, label: copy.tabs[name] }))}
        current={tab}
        onChange={setTab}
      />
      {tab === "settings" ? (
        <CheckSettingsSection orgId={orgId} wanted={wanted} {...begun} />
      ) : (
        <CheckList key={tab} orgId={orgId} tab={tab} />
      )}
    </div>
  );
}

/** A decision on a group, and the group's place in the list at that time. */
type Decided = { group: CheckGroup; place: number; outcome: Outcome };

function CheckList({ orgId, tab }: { orgId: string; tab: "open" | "closed" }) {
  const { supabase } = useApp();
  // Where each page after the first begins.
  const [cursors, setCursors] = useState<readonly string[]>([]);
  // The last decision, and the place of its group.
  const [decided, setDecided] = useState<Decided | null>(null);
  const checks = useQuery(
    checksQuery(supabase, { orgId, isClosed: tab === "closed", after: cursors.at(-1) ?? null }),
  );
  if (checks.isError && !checks.data) {
    return (
      <LoadProblem
        title={copy.loadFailed}
        text={loadFailure(checks.error, copy.loadFailed)}
        isRetrying={checks.isFetching}
        onRetry={() => checks.refetch()}
      />
    );
  }
  if (!checks.data) return <ListSkeleton />;
  const { items: groups, has_next } = checks.data;
  const last = groups.at(-1)?.id;
  const turnTo = (page: readonly string[]) => {
    setDecided(null);
    setCursors(page);
  };
  // A group that a decision took off the list leaves its place to what that came to.
  const isGone = decided !== null && groups.every(({ id }) => id !== decided.group.id);
  const shown = isGone ? groups.toSpliced(decided.place, 0, decided.group) : groups;
  return (
    <>
      {shown.length > 0 && (
        <ul className="grid gap-5 sm:gap-4">
          {shown.map((group, place) => {
            const isDecided = decided?.group.id === group.id;
            const onDecided = (outcome: Outcome) => setDecided({ group, place, outcome });
            return isGone && isDecided ? (
              <DecidedGroup
                key={group.id}
                group={group}
                outcome={decided.outcome}
                onDecided={onDecided}
              />
            ) : (
              <CheckGroupItem
                key={group.id}
                group={group}
                outcome={isDecided ? decided.outcome : null}
                onDecided={onDecided}
              />
            );
          })}
        </ul>
      )}
      {groups.length === 0 && cursors.length === 0 && <EmptyState {...copy.empty[tab]} />}
      <CursorPager
        hasPrevious={cursors.length > 0}
        hasNext={has_next}
        onPrevious={() => turnTo(cursors.slice(0, -1))}
        onNext={() => last && turnTo([...cursors, last])}
      />
    </>
  );
}
