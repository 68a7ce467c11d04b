import { z } from "zod";
import { createConfirmedUser } from "../server/auth/create-user.ts";
import type { BenchApp } from "./bench-app.ts";
import { processorMs } from "./processor.ts";
import { median, row, say, table } from "./report.ts";

const EMAIL = "appels@exemple.fr";
const PASSWORD = "un-mot-de-passe-de-banc";
const ROUNDS = 9;
const CALLS = 150;

/** A preference that means nothing, and that only the library reads: the same request, the other way. */
const LIBRARY = { prefer: "handling=lenient" };

const token = z.object({ access_token: z.string() });

/** Request to the data API; requests follow each other on one connection. */
type Way = () => Promise<void>;

/**
 * Processor time of the server's own process for a call of a function and for a read, one at a time: by the executor, by the
 * library, and beside them `/healthz`, which asks for nothing. Rounds alternate.
 */
export async function benchDataCalls(app: BenchApp): Promise<void> {
  await app.sql.begin(async (sql) => {
    await createConfirmedUser(sql, { email: EMAIL, password: PASSWORD, fullName: "Banc" });
  });
  const signedIn = await fetch(`${app.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: app.publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  const { access_token } = token.parse(await signedIn.json());
  const headers = {
    apikey: app.publishableKey,
    authorization: `Bearer ${access_token}`,
    "content-type": "application/json",
  };
  const call = (more: Record<string, string>) =>
    ask(`${app.url}/rest/v1/rpc/my_workspace`, {
      method: "POST",
      headers: { ...headers, ...more },
      body: "{}",
    });
  const read = (more: Record<string, string>) =>
    ask(`${app.url}/rest/v1/organizations?select=id`, { headers: { ...headers, ...more } });
  const ways: Record<string, Way> = {
    "/healthz": ask(`${app.url}/healthz`, {}),
    "rpc, executor": call({}),
    "rpc, library": call(LIBRARY),
    "GET, executor": read({}),
    "GET, library": read(LIBRARY),
  };
  const taken = new Map<string, number[]>();
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const spent = await processorMs([app.serverPid]);
      for (let count = 0; count < CALLS; count += 1) await way();
      const each = ((await processorMs([app.serverPid])) - spent) / CALLS;
      if (round >= 0) taken.set(name, [...(taken.get(name) ?? []), each]);
    }
  }
  const of = (name: string) => median(taken.get(name) ?? []);
  say(
    `\nData API, one connection: processor time of the server's process (median of ${ROUNDS} × ${CALLS})`,
  );
  table(
    ["", "ms each", "ratio to the library"],
    Object.keys(ways).map((name) =>
      row(
        name,
        of(name).toFixed(2),
        (of(name) / of(name.replace("executor", "library"))).toFixed(2),
      ),
    ),
  );
}

function ask(url: string, init: RequestInit): Way {
  return async () => {
    const response = await fetch(url, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  };
}
