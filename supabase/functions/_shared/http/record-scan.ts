import type { Deps } from "./deps.ts";

/** Outcome of a scan. */
export type ScanOutcome =
  | "counted"
  | "repeated"
  | "bot"
  | "too_many_attempts"
  | "campaign_not_found";

/**
 * Programs that fetch a page without a reader: crawlers, link previews of
 * messengers, monitors. Their user agents name themselves with one of these words (Cubot makes phones).
 */
const BOT =
  /(?<!cu)bot\b|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|skypeuri|curl\/|wget\/|python-|go-http|headlesschrome|lighthouse|monitor|uptime/i;

/**
 * Counts a scan of a running campaign: once in 30 minutes for one keyed hash of address and user agent, up to a limit
 * for one address. Known bots are not counted (design, section 4).
 */
export async function recordScan(
  { sql, keyedHash, clientAddress }: Pick<Deps, "sql" | "keyedHash" | "clientAddress">,
  request: Request,
  slug: string,
  source: string,
): Promise<ScanOutcome> {
  const userAgent = request.headers.get("user-agent") ?? "";
  if (userAgent === "" || BOT.test(userAgent)) return "bot";
  const address = clientAddress(request);
  const visitor = keyedHash("scan", `${address} ${userAgent}`);
  const [row] = await sql<{ outcome: ScanOutcome }[]>`
    select public.record_scan(${slug}, ${source}, ${visitor}, ${keyedHash("address", address)}) as outcome`;
  return row?.outcome ?? "campaign_not_found";
}
