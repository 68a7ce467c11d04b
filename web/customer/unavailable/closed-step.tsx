import { useEffect, useState } from "react";
import { errorCopy } from "#domain/errors/errors.copy.ts";
import type { ClosedCampaign } from "#domain/schemas/closed-campaign.ts";
import { dayInWords } from "#domain/text/day-in-words.ts";
import { fetchClosedCampaign } from "../api.ts";
import { customerCopy } from "../customer.copy.ts";
import { WheelLinks } from "../organization/wheel-links.tsx";
import { Action } from "../parts/action.tsx";
import { momentInWords } from "../parts/dates.ts";
import { EmptyPicture } from "../parts/empty-picture.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { failuresCopy } from "../refusals/failures.copy.ts";
import { shellCopy } from "../shell/page-shell.copy.ts";
import { closedCopy as copy } from "./closed.copy.ts";
import { noPageCopy } from "./no-page.copy.ts";

/** Other wheels shown at once; more are a page of their own. */
const MAX_WHEELS = 3;

type ClosedStepProps = {
  slug: string;
  /** Null before anything was loaded, or where there is nothing to show. */
  closed: ClosedCampaign | null;
  /** Whether to ask what is known of it. */
  isAsked: boolean;
  takesFocus: boolean;
};

/** The words of its state, by the store's clocks. */
function reasonOf({ state, store, starts_at, ends_at }: ClosedCampaign): string {
  const now = new Date();
  if (state === "upcoming" && starts_at !== null) {
    return copy.upcoming(store.name, momentInWords(new Date(starts_at), now, store.timezone));
  }
  if (state !== "ended") return copy.paused(store.name);
  // Archived before its last day, it has ended on no day that was announced.
  return ends_at !== null && Date.parse(ends_at) <= now.getTime()
    ? copy.endedOn(store.name, dayInWords(new Date(ends_at), now, store.timezone))
    : copy.ended(store.name);
}

/** Open wheels in the order of use: those of this very store first. */
function nearestFirst({ open_wheels, store }: ClosedCampaign) {
  const isHere = (wheel: { store_name: string }) => Number(wheel.store_name === store.name);
  return [...open_wheels].sort((a, b) => isHere(b) - isHere(a));
}

/** A campaign that is closed, has not begun, or does not exist: why, and what one can do instead (specification, section 8). */
export function ClosedStep({ slug, closed: given, isAsked, takesFocus }: ClosedStepProps) {
  const [closed, setClosed] = useState(given);

  useEffect(() => {
    if (!isAsked) return;
    let isCurrent = true;
    fetchClosedCampaign(slug, shellCopy.language).then((answer) => {
      if (isCurrent && answer.ok) setClosed(answer.value);
    });
    return () => {
      isCurrent = false;
    };
  }, [slug, isAsked]);

  const wheels = closed === null ? [] : nearestFirst(closed);
  const shown = wheels.slice(0, MAX_WHEELS);
  return (
    <section className="flex grow flex-col gap-4 pt-2">
      <StepTitle takesFocus={takesFocus}>{errorCopy.campaign_not_found}</StepTitle>
      <p>{closed === null ? failuresCopy.notFoundHint : reasonOf(closed)}</p>
      {shown.length > 0 ? (
        <>
          <h2 className="mt-2 text-lg font-bold">{copy.otherWheels}</h2>
          <WheelLinks wheels={shown} />
          {wheels.length > shown.length && (
            <Action look="quiet" href={`/org/${closed?.organization.slug}`}>
              {copy.allWheels}
            </Action>
          )}
        </>
      ) : (
        <EmptyPicture />
      )}
      <div className="mt-auto grid gap-3 pt-4 sm:mt-2">
        <Action look={shown.length > 0 ? "secondary" : "primary"} onClick={() => location.reload()}>
          {customerCopy.retry}
        </Action>
        {closed?.was_played && (
          <div className="text-center text-base">
            <p>{copy.prizes}</p>
            <Action look="quiet" href={`/c/${closed.slug}/gain`}>
              {copy.myPrizes}
            </Action>
          </div>
        )}
        {closed === null && (
          <Action look="quiet" href="/">
            {noPageCopy.home}
          </Action>
        )}
      </div>
    </section>
  );
}
