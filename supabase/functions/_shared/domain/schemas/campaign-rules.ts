import * as z from "zod/mini";
import { presenceKind } from "../rules/presence-kind.ts";
import { prizePicture } from "../rules/prize-picture.ts";
import type { Language } from "../text/languages.ts";
import { merchantWords, say, wordsIn } from "../text/merchant-words.ts";
import { brand } from "./brand.ts";
import { operator } from "./operator.ts";
import { rewardType } from "./reward-type.ts";

/** A prize as the rules name it. */
const rulesPrize = z.object({
  name: z.string(),
  type: rewardType,
  /** In euros; null when the merchant has not said. */
  value: z.nullable(z.number()),
  discount: z.nullable(z.number()),
  item: z.nullable(z.string()),
  points: z.nullable(z.number()),
  /** Days to fetch it, or to spend points; null for points without an end. */
  validity_days: z.nullable(z.int()),
  max_per_user: z.int(),
  /** How many are put into play; null is without limit. */
  number: z.nullable(z.int()),
  /** Whether other campaigns of the organisation draw from the same number. */
  shared: z.optional(z.boolean()),
  /** In percent, two decimals at most. */
  odds: z.number(),
  /** Labels of the wheel's segments that win it. */
  labels: z.array(z.string()),
});
export type RulesPrize = z.infer<typeof rulesPrize>;

/**
 * Content of one version of the rules: `campaign_rules.content`, made by `private.rules_content`.
 */
const rulesContent = z.object({
  /** Which wording the page gives it (docs/decisions/032). */
  wording: z.literal(1),
  organizer: z.string(),
  store: z.object({ name: z.string(), address: z.string() }),
  timezone: z.string(),
  starts_at: z.nullable(z.string()),
  ends_at: z.nullable(z.string()),
  play_interval_days: z.int(),
  prizes: z.array(rulesPrize),
  /** The segments that win nothing; null when there is none. */
  losing: z.nullable(z.object({ odds: z.number(), labels: z.array(z.string()) })),
  /** How presence in the store is shown; missing where nothing is asked. */
  presence: z.optional(presenceKind),
});
export type RulesContent = z.infer<typeof rulesContent>;

/** Answer of the SQL function `campaign_rules_page`, and of `campaign_rules`. */
export const rulesPage = z.object({
  id: z.guid(),
  slug: z.string(),
  campaign: z.string(),
  version: z.int(),
  /** When this version first held. */
  published_at: z.string(),
  /** Version in force now. */
  in_force: z.int(),
  /** The plan keeps the product's name off the page; the rules themselves still say who runs it. */
  white_label: z.boolean(),
  /** The merchant's logo and colour in its place; null without either. */
  brand: z.nullable(brand),
  /** Of its rewards that have one. */
  pictures: z.array(z.object({ id: z.guid(), picture: prizePicture })),
  words: merchantWords,
  /** The newest fifty, newest first. */
  versions: z.array(z.object({ version: z.int(), published_at: z.string() })),
  content: rulesContent,
});
export type RulesPage = z.infer<typeof rulesPage>;

/** The rules with their prizes and segments as they are called in a language; what governs is the French. */
export function rulesIn(page: RulesPage, language: Language): RulesPage {
  const words = wordsIn(page.words, language);
  const labelsIn = (labels: readonly string[]) => labels.map((label) => say(words, label));
  const { prizes, losing } = page.content;
  const content = {
    ...page.content,
    prizes: prizes.map((prize) => ({
      ...prize,
      name: say(words, prize.name),
      item: prize.item && say(words, prize.item),
      labels: labelsIn(prize.labels),
    })),
    losing: losing && { ...losing, labels: labelsIn(losing.labels) },
  };
  return { ...page, content };
}

/** The parts of the operator that the rules name. */
export const rulesOperator = z.pick(operator, {
  company: true,
  address: true,
  contact_email: true,
});
export type RulesOperator = z.infer<typeof rulesOperator>;

/** A version number read from an address; null for anything else. */
export function readRulesVersion(text: string): number | null {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
}
