import { Play, QrCode } from "lucide-react";
import type { CampaignItem } from "#domain/schemas/back-office.ts";
import { firstOfMonth } from "#domain/text/first-of-month.ts";
import { formatNumber } from "../../../lib/format.ts";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { CampaignBadges } from "../../../ui/campaign/campaign-badges.tsx";
import { campaignsCopy } from "../campaigns.copy.ts";
import { testPath } from "../posters/public-link.ts";
import { CampaignMenu } from "./campaign-menu.tsx";

const copy = campaignsCopy.list;

type CampaignRowProps = { campaign: CampaignItem; onShowQr: () => void };

/** One campaign of the list, on a phone: what it is, what it has led to, and its QR code. */
export function CampaignCard({ campaign, onShowQr }: CampaignRowProps) {
  const { name, store_name, scans, reviews, spins, redemptions, slug } = campaign;
  const counts = [
    [copy.counts.scans, scans],
    [copy.counts.reviews, reviews],
    [copy.counts.spins, spins],
    [copy.counts.redemptions, redemptions],
  ] as const;
  return (
    <div className="relative grid gap-x-6 gap-y-4 lg:grid-cols-[1fr_auto_auto] lg:items-center">
      <div className="min-w-0 max-lg:pr-10 group-data-selecting/cards:pr-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 font-sans text-lg tracking-normal break-words">{name}</h2>
          <CampaignBadges campaign={campaign} />
        </div>
        <p className="mt-1 break-words">{store_name ?? copy.unknownStore}</p>
        <p className="text-sm text-muted">{campaignDates(campaign, new Date())}</p>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 min-[480px]:grid-cols-4">
        {counts.map(([label, count]) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="font-display text-xl font-bold tabular-nums">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      <div className="flex items-start gap-2 group-data-selecting/cards:hidden">
        <QrButton name={name} variant="secondary" onShowQr={onShowQr} />
        <TestLink name={name} slug={slug} />
        <div className="max-lg:absolute max-lg:-top-2 max-lg:-right-2">
          <CampaignMenu campaign={campaign} onShowQr={onShowQr} />
        </div>
      </div>
    </div>
  );
}

type QrButtonProps = { name: string; variant: "secondary" | "quiet"; onShowQr: () => void };

/** Shows the QR code of a campaign. */
export function QrButton({ name, variant, onShowQr }: QrButtonProps) {
  return (
    <Button
      variant={variant}
      className="whitespace-nowrap"
      aria-label={copy.qrOf(name)}
      onClick={onShowQr}
    >
      <QrCode aria-hidden="true" className="size-5" />
      {copy.qr}
    </Button>
  );
}

/** Opens a campaign without counting: its test mode. */
export function TestLink({ name, slug }: Pick<CampaignItem, "name" | "slug">) {
  return (
    <a
      href={testPath(slug)}
      target="_blank"
      rel="noopener"
      aria-label={copy.testOf(name)}
      className={buttonClass({ variant: "quiet" })}
    >
      <Play aria-hidden="true" className="size-5" />
      {copy.test}
    </a>
  );
}

type Dates = Pick<CampaignItem, "starts_at" | "ends_at" | "created_at" | "timezone">;

/**
 * When a campaign runs, in words, as its store counts the days: without a start it began when it was made; without an
 * end it goes on.
 */
export function campaignDates(
  { starts_at, ends_at, created_at, timezone }: Dates,
  now: Date,
): string {
  const format = new Intl.DateTimeFormat("fr-FR", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: timezone ?? undefined,
  });
  const day = (date: Date) => firstOfMonth(format.format(date));
  const start = new Date(starts_at ?? created_at);
  const from = day(start);
  if (ends_at) return copy.between(from, day(new Date(ends_at)));
  return start > now ? copy.startsOn(from) : copy.from(from);
}
