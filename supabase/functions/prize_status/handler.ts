import { prizeStatusRequest } from "../_shared/domain/schemas/prize.ts";
import { FIRST_LANGUAGE, type Language, languageSchema } from "../_shared/domain/text/languages.ts";
import { typeset } from "../_shared/domain/text/typeset.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";
import { verdictCopy as german } from "./verdict.copy.de.ts";
import { verdictCopy as english } from "./verdict.copy.en.ts";
import { verdictCopy as spanish } from "./verdict.copy.es.ts";
import { verdictCopy as italian } from "./verdict.copy.it.ts";
import { verdictCopy as dutch } from "./verdict.copy.nl.ts";
import { verdictCopy as french } from "./verdict.copy.ts";

const SPOKEN: Readonly<Record<Language, typeof french>> = {
  fr: french,
  en: english,
  de: german,
  es: spanish,
  it: italian,
  nl: dutch,
};

/** Answer of the SQL function: what the phone reads, what a check led to, and the language of the customer's pages. */
type PrizeRow = Record<string, unknown> & {
  status: unknown;
  verdict: keyof typeof french | null;
  locale: unknown;
};

/** `POST prize_status { campaign_id, spin_id, nonce }`: whether a prize that a phone keeps still waits. */
export const handler = serve(
  { name: "prize_status", method: "POST", failure: "internal_error" },
  async (request, { sql }) => {
    const parsed = await parseBody(request, prizeStatusRequest);
    if (!parsed.ok) return parsed.response;
    const { campaign_id, spin_id, nonce } = parsed.body;
    const [row] = await sql<{ status: PrizeRow | null }[]>`
      select public.prize_status(${campaign_id}, ${spin_id}, ${nonce}) as status`;
    if (!row?.status) return refuse("prize_not_found");
    const { verdict, locale, ...status } = row.status;
    return json({ ...status, ...(verdict && wordsOf(verdict, status.status, locale)) });
  },
);

/**
 * Words of a verdict for its winner, set as their language does. A prize that is held back past its end is not over: it is
 * valid for longer once it is released.
 */
function wordsOf(
  verdict: keyof typeof french,
  status: unknown,
  locale: unknown,
): Record<string, string> {
  const language = languageSchema.safeParse(locale).data ?? FIRST_LANGUAGE;
  const { stamp, notice } = SPOKEN[language][verdict];
  const isStamped = verdict === "cancelled" || status === "expired";
  return {
    ...(isStamped && { stamp: typeset(stamp, language) }),
    notice: typeset(notice, language),
  };
}
