import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { RunningServer } from "../../server/server.ts";

/**
 * Asks the functions of a project what it asks our own server, on the same database: both must answer alike. Then a customer
 * goes from the campaign to the till.
 *
 * Not tried: the payment provider.
 */

/**
 * Requests to a function without knowledge of it: most are refused, and each refusal has its words.
 */
const QUESTIONS: readonly RequestInit[] = [
  { method: "OPTIONS" },
  { method: "GET" },
  { method: "DELETE" },
  { method: "POST", body: "" },
  { method: "POST", body: "{" },
  { method: "POST", body: "{}" },
  { method: "POST", body: JSON.stringify({ surplus: "\0" }) },
];

type Answer = { status: number; type: string | null; location: string | null; body: unknown };

/** Fields of an answer that depend on its instant, and differ from one answer to the next. */
const INSTANTS: ReadonlySet<string> = new Set(["checked_at"]);

/** Asks once, and follows no answer to another address. */
export async function ask(address: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { "content-type": "application/json", ...init.headers };
  const response = await fetch(address, { ...init, headers, redirect: "manual" });
  const type = response.headers.get("content-type");
  const text = await response.text();
  return {
    status: response.status,
    type,
    location: pathOf(response.headers.get("location")),
    body: type?.includes("json") ? JSON.parse(text, timeless) : text,
  };
}

/** An address without its host: pages are on another one than the functions of a project. */
function pathOf(location: string | null): string | null {
  if (location === null) return null;
  const { pathname, search } = new URL(location, "http://localhost");
  return `${pathname}${search}`;
}

function timeless(key: string, value: unknown): unknown {
  return INSTANTS.has(key) ? "an instant" : value;
}

const session = z.object({ access_token: z.string() });
const withId = z.object({ id: z.uuid() });
const recorded = z.object({ review_id: z.uuid() });

/** A project and our own server, on the same database. */
type Compared = {
  /** Addresses of the functions: of our own server, and of the project. */
  ours: string;
  theirs: string;
  /** Header of the demo shop's signed-in owner. */
  authorization: string;
};

/** Reports each answer that differs, and returns how many did. */
export async function compareAnswers(
  server: RunningServer,
  {
    names,
    functionsUrl,
    password,
  }: { names: readonly string[]; functionsUrl: string; password: string },
): Promise<number> {
  const { demo } = server;
  if (!demo) throw new Error("There is no demo shop.");
  const compared = {
    ours: `${server.url}/functions/v1`,
    theirs: functionsUrl,
    authorization: await signIn(server, { email: demo.email, password }),
  };
  let differences = 0;
  for (const name of names) differences += await compareFunction(name, compared);
  await playJourney(functionsUrl, demo.slug);
  await redeemAndExport(server, compared);
  return differences;
}

/** Begins a session; answers the header that shows it. */
export async function signIn(
  { url, secrets }: Pick<RunningServer, "url" | "secrets">,
  account: { email: string; password: string },
): Promise<string> {
  const signedIn = await ask(`${url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: secrets.publishableKey },
    body: JSON.stringify(account),
  });
  return `Bearer ${session.parse(signedIn.body).access_token}`;
}

/** Asks one function the same questions at both, without and with a session; how many answers differ. */
async function compareFunction(
  name: string,
  { ours, theirs, authorization }: Compared,
): Promise<number> {
  const asked = QUESTIONS.flatMap((question) =>
    (question.method === "POST" ? [{}, { authorization }] : [{}]).map((headers) => ({
      ...question,
      headers,
    })),
  );
  const statuses: number[] = [];
  let differences = 0;
  for (const question of asked) {
    const here = await ask(`${ours}/${name}`, question);
    const there = await ask(`${theirs}/${name}`, question);
    statuses.push(there.status);
    if (isDeepStrictEqual(here, there)) continue;
    differences += 1;
    const { method, body } = question;
    process.stdout.write(`${name} ${JSON.stringify({ method, body, here, there })}\n`);
  }
  process.stdout.write(`${name.padEnd(22)} ${statuses.join(" ")}\n`);
  return differences;
}

/** Calls a function, which must answer with this status; returns its body. */
async function step(
  address: string,
  expected: number,
  body: object,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const name = address.split("/").at(-1) ?? "";
  const answer = await ask(address, { method: "POST", headers, body: JSON.stringify(body) });
  process.stdout.write(`${name.padEnd(22)} ${answer.status}\n`);
  if (answer.status === expected) return answer.body;
  throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** A customer's visit, from the campaign to the spin. */
async function playJourney(functionsUrl: string, slug: string): Promise<void> {
  const campaign = await ask(`${functionsUrl}/campaign?slug=${slug}`);
  const { id: campaign_id } = withId.parse(campaign.body);
  await step(`${functionsUrl}/scan`, 204, { slug });
  const end_user = { first_name: "Zoé", last_name: "Roy", email: "zoe@exemple.fr" };
  const review = await step(`${functionsUrl}/review_record`, 201, {
    campaign_id,
    visit_id: randomUUID(),
    end_user: { ...end_user, consent_marketing: false },
    rating: 5,
  });
  const { review_id } = recorded.parse(review);
  await step(`${functionsUrl}/public_review_click`, 204, { campaign_id, review_id });
  const device_fp = "d".repeat(64);
  await step(`${functionsUrl}/spin_wheel`, 200, { campaign_id, review_id, device_fp });
}

/** A code at the till, used once and refused the second time, and the exports, which must be equal at both. */
async function redeemAndExport(
  server: RunningServer,
  { ours, theirs, authorization }: Compared,
): Promise<void> {
  // The draw's result is chance: the till is shown a code of the demo's past.
  const [code] = await server.adminSql<{ code: string; store_id: string; org_id: string }[]>`
    select code, store_id, org_id from public.redemptions
    where status = 'available' and expires_at > now() limit 1`;
  if (!code) throw new Error("The demo shop has no open code.");
  const redemption = { code: code.code, store_id: code.store_id };
  await step(`${theirs}/redeem`, 200, redemption, { authorization });
  await step(`${theirs}/redeem`, 409, redemption, { authorization });
  for (const type of ["customers", "redemptions", "reviews", "campaigns"]) {
    const order = { type, org_id: code.org_id };
    const there = await step(`${theirs}/exports-csv`, 200, order, { authorization });
    const asked = { method: "POST", headers: { authorization }, body: JSON.stringify(order) };
    const here = await ask(`${ours}/exports-csv`, asked);
    if (!isDeepStrictEqual(here.body, there)) throw new Error(`The exports of ${type} differ.`);
  }
}
