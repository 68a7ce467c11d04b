import type { CampaignEditor } from "#domain/schemas/campaigns.ts";
import { firstOfMonth } from "#domain/text/first-of-month.ts";
import { formatNumber } from "../../../lib/format.ts";
import { editorCopy } from "../editor.copy.ts";

const { conflict: copy } = editorCopy;

/** A campaign in words, field by field, with times in its store's time zone. */
function inWords({ campaign, segments, stores, wheel }: CampaignEditor): [string, string][] {
  const store = stores.find(({ id }) => id === campaign.store_id);
  const moment = new Intl.DateTimeFormat("fr-FR", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: store?.timezone,
  });
  const at = (instant: string | null) =>
    instant ? firstOfMonth(moment.format(new Date(instant))) : copy.none;
  const drawn = wheel === "drawn" ? segments : [];
  const wheelParts = drawn.map(({ label, weight }) => copy.segment(label, formatNumber(weight)));
  const said = drawn.flatMap(({ label, translations }) =>
    Object.entries(translations).map(([language, text = ""]) => copy.said(label, language, text)),
  );
  const named = Object.entries(campaign.translations).map(([language, text = ""]) =>
    copy.named(language, text),
  );
  const { fields } = copy;
  return [
    [fields.name, campaign.name],
    [fields.nameTranslations, named.join(", ") || copy.none],
    [fields.slug, campaign.slug],
    [fields.store, store?.name ?? copy.none],
    [fields.active, campaign.active ? copy.on : copy.off],
    [fields.starts, at(campaign.starts_at)],
    [fields.ends, at(campaign.ends_at)],
    [fields.interval, formatNumber(campaign.play_interval_days)],
    [fields.description, campaign.description ?? copy.none],
    [fields.wheel, wheelParts.join(", ") || copy.none],
    [fields.translations, said.join(", ") || copy.none],
  ];
}

/** Changes between two versions of a campaign, a sentence each. */
export function changesBetween(before: CampaignEditor, after: CampaignEditor): string[] {
  const former = new Map(inWords(before));
  return inWords(after).flatMap(([field, now]) => {
    const then = former.get(field) ?? copy.none;
    return then === now ? [] : [copy.change(field, then, now)];
  });
}
