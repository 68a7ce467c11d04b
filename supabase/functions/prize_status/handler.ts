import { prizeStatusRequest } from "../_shared/domain/schemas/prize.ts";
import { FIRST_LANGUAGE, type Language, languageSchema } from "../_shared/domain/text/languages.ts";
import { typeset } from "../_shared/domain/text/typeset.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";
import * as german from "./verdict.copy.de.ts";
import * as english from "./verdict.copy.en.ts";
import * as spanish from "./verdict.copy.es.ts";
import * as italian from "./verdict.copy.it.ts";
import * as dutch from "./verdict.copy.nl.ts";
import * as french from "./verdict.copy.ts";

const SPOKEN: Readonly<Record<Language, typeof french>> = {
  fr: french,
  en: english,
  de: german,
  es: spanish,
  it: italian,
  nl: dutch,
};

type Verdict = keyof typeof french.verdictCopy;

/** Answer of the SQL function: what the phone reads, what becomes words, and the language of the customer's pages. */
type PrizeRow = Record<string, unknown> & {
  status: unknown;
  verdict: Verdict | null;
  /** Name of the store, or of the organisation where that is several or none. */
  place: { kind: "store" | "stores" | "none"; name: string };
  locale: unknown;
};

/** `POST prize_status { campaign_id, spin_id, nonce }`: whether a prize that a phone keeps still waits, and where. */
export const handler = serve(
  { name: "prize_status", method: "POST", failure: "internal_error" },
  async (request, { sql }) => {
    const parsed = await parseBody(request, prizeStatusRequest);
    if (!parsed.ok) return parsed.response;
    const { campaign_id, spin_id, nonce } = parsed.body;
    const [row] = await sql<{ status: PrizeRow | null }[]>`
      select public.prize_status(${campaign_id}, ${spin_id}, ${nonce}) as status`;
    if (!row?.status) return refuse("prize_not_found");
    const { verdict, place, locale, ...status } = row.status;
    const language = languageSchema.safeParse(locale).data ?? FIRST_LANGUAGE;
    const isNowhere = place.kind === "none" && status.status === "available" && verdict === null;
    return json({
      ...status,
      place: placeOf(place, language),
      ...(isNowhere && nowhereOf(place.name, language)),
      ...(verdict && wordsOf(verdict, status.status, language)),
    });
  },
);

/** Name of where a prize is taken; the organisation's where no store takes it. */
function placeOf({ kind, name }: PrizeRow["place"], language: Language): string {
  return kind === "stores" ? typeset(SPOKEN[language].placeCopy.anywhere(name), language) : name;
}

/** Words for whoever has a prize that no store takes any more: whom to ask. */
function nowhereOf(organization: string, language: Language): Record<string, string> {
  const { stamp, notice } = SPOKEN[language].placeCopy.nowhere;
  return { stamp: typeset(stamp, language), notice: typeset(notice(organization), language) };
}

/**
 * Words of a verdict for its winner, set as their language does. A prize that is held back past its end is not over: it is
 * valid for longer once it is released.
 */
function wordsOf(verdict: Verdict, status: unknown, language: Language): Record<string, string> {
  const { stamp, notice } = SPOKEN[language].verdictCopy[verdict];
  const isStamped = verdict === "cancelled" || status === "expired";
  return {
    ...(isStamped && { stamp: typeset(stamp, language) }),
    notice: typeset(notice, language),
  };
}
