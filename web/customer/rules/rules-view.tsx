import type { ReactNode } from "react";
import { CUSTOMER_RETENTION_YEARS, LOG_RETENTION_MONTHS } from "#domain/rules/retention.ts";
import type { RulesContent, RulesOperator, RulesPage } from "#domain/schemas/campaign-rules.ts";
import { isolated } from "#domain/text/isolated.ts";
import { FIRST_LANGUAGE } from "#domain/text/languages.ts";
import { timezoneLabel } from "#domain/text/timezone-label.ts";
import { PrizeTable } from "./prize-table.tsx";
import { rulesCopy as copy } from "./rules.copy.ts";
import { dayInFull, momentInFull } from "./rules-format.ts";
import { translationNotice } from "./translation.copy.ts";

/** The store's zone is named where it is not that of the country. */
const HOME_ZONE = "Europe/Paris";

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2 print:block print:*:mb-2">
      <h2 className="mt-4 text-xl leading-tight font-bold break-after-avoid">{title}</h2>
      {children}
    </section>
  );
}

function Points({ points }: { points: readonly string[] }) {
  return (
    <>
      {points.map((point) => (
        <p key={point}>{point}</p>
      ))}
    </>
  );
}

function datesOf({ starts_at, ends_at, timezone }: RulesContent): string[] {
  const start =
    starts_at === null ? copy.game.openStart : copy.game.from(momentInFull(starts_at, timezone));
  const end =
    ends_at === null ? copy.game.openEnd : copy.game.until(momentInFull(ends_at, timezone));
  const hasHours = starts_at !== null || ends_at !== null;
  return [
    start,
    end,
    ...(hasHours && timezone !== HOME_ZONE ? [copy.game.zone(timezoneLabel(timezone))] : []),
  ];
}

function Prizes({ content }: { content: RulesContent }) {
  const { prizes, losing } = content;
  if (prizes.length === 0) return <p>{copy.prizes.none}</p>;
  return (
    <>
      <PrizeTable content={content} />
      <p>{copy.prizes.equal}</p>
      <p>{losing === null ? copy.prizes.usedUpToPrizes : copy.prizes.usedUpToLosing}</p>
    </>
  );
}

function Versions({ page }: { page: RulesPage }) {
  const { slug, version, in_force, versions, content } = page;
  return (
    <ul className="grid list-disc gap-1 pl-5">
      {versions.map((one) => {
        const text = copy.versions.item(one.version, dayInFull(one.published_at, content.timezone));
        return (
          <li key={one.version} className={one.version === version ? "" : "print:hidden"}>
            {one.version === version ? (
              <span aria-current="page" className="font-bold">
                {text}
              </span>
            ) : (
              <a
                href={`/c/${slug}/reglement?version=${one.version}`}
                className="inline-block py-2.5 underline underline-offset-4"
              >
                {text}
              </a>
            )}
            {one.version === in_force && ` (${copy.versions.inForce})`}
          </li>
        );
      })}
    </ul>
  );
}

type RulesViewProps = { page: RulesPage; operator: RulesOperator };

/** The rules of a draw, made of the campaign's own settings: readable without a script, and on paper. */
export function RulesView({ page, operator }: RulesViewProps) {
  const { slug, version, in_force, published_at, content } = page;
  const { organizer, store, timezone, play_interval_days: interval, prizes } = content;
  const since = dayInFull(published_at, timezone);
  const hasCodes = prizes.some(({ type }) => type !== "points");
  const hasPoints = prizes.some(({ type }) => type === "points");
  const { company, address, contact_email } = operator;
  const translation = translationNotice();
  return (
    <main className="grid gap-4 px-4 pt-5 sm:px-6 print:block print:p-0 print:[zoom:0.8]">
      <a
        href={`/c/${slug}/review`}
        className="flex min-h-11 w-fit items-center font-bold underline underline-offset-4 print:hidden"
      >
        {copy.play}
      </a>
      <header className="grid gap-2">
        <h1 className="text-2xl leading-tight font-bold tracking-tight">{copy.title}</h1>
        <p className="font-bold">
          <bdi>{store.name}</bdi> · <bdi>{page.campaign}</bdi>
        </p>
        {version === in_force ? (
          <p>{copy.version(version, since)}</p>
        ) : (
          <p>
            {copy.formerVersion(version, since)}{" "}
            <a href={`/c/${slug}/reglement`} className="font-bold underline underline-offset-4">
              {copy.current}
            </a>
          </p>
        )}
        {translation !== null && (
          <p>
            {translation.text}{" "}
            <a
              href={`?version=${version}&lang=${FIRST_LANGUAGE}`}
              hrefLang={FIRST_LANGUAGE}
              rel="nofollow"
              className="font-bold underline underline-offset-4"
            >
              {translation.original}
            </a>
          </p>
        )}
      </header>
      <Part title={copy.organizer.title}>
        <p>
          {copy.organizer.text(isolated(organizer), isolated(store.name), isolated(store.address))}
        </p>
      </Part>
      <Part title={copy.game.title}>
        <p>{copy.game.text}</p>
        <p>{datesOf(content).join(" ")}</p>
      </Part>
      <Part title={copy.entry.title}>
        <p>
          {copy.entry.free} {copy.entry.noReview}
        </p>
        <p>{copy.entry.who}</p>
        {content.presence !== undefined && <p>{copy.entry.presence[content.presence]}</p>}
        <p>
          {interval === 0 ? copy.entry.unlimited : copy.entry.every(interval)} {copy.entry.fair}
        </p>
      </Part>
      <Part title={copy.prizes.title}>
        <Prizes content={content} />
      </Part>
      <Part title={copy.draw.title}>
        <p>{copy.draw.text}</p>
      </Part>
      <Part title={copy.collect.title}>
        {hasCodes && <p>{copy.collect.code(store.name)}</p>}
        {hasPoints && <p>{copy.collect.points}</p>}
        <p>{copy.collect.exchange}</p>
      </Part>
      <Part title={copy.data.title}>
        <Points
          points={copy.data.points(organizer, CUSTOMER_RETENTION_YEARS, LOG_RETENTION_MONTHS)}
        />
        <a
          href="/legal/privacy"
          className="flex min-h-11 w-fit items-center font-bold underline underline-offset-4 print:min-h-0"
        >
          {copy.data.policy}
        </a>
      </Part>
      <Part title={copy.service.title}>
        <p>{company === null ? copy.service.text : copy.service.by(company, address)}</p>
        {contact_email !== null && (
          <p>
            {copy.service.contact}{" "}
            <a href={`mailto:${contact_email}`} className="underline underline-offset-4">
              {contact_email}
            </a>
          </p>
        )}
        <p>{copy.service.law}</p>
      </Part>
      <Part title={copy.versions.title}>
        <p>{copy.versions.text}</p>
        <Versions page={page} />
      </Part>
    </main>
  );
}
