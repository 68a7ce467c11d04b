import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { z } from "zod";
import { createConfirmedUser } from "../server/auth/create-user.ts";
import { readSecrets } from "../server/secrets.ts";
import { say } from "./report.ts";
import type { Stage } from "./stage.ts";

const PASSWORD = "un-mot-de-passe-de-banc";
const token = z.object({ access_token: z.string() });

/** An owner of an organisation, and what their requests carry. */
export type Owner = { id: string; headers: Record<string, string> };

async function createOwner(stage: Stage, email: string): Promise<Owner> {
  const { publishableKey } = await readSecrets(stage.dataFolder);
  const ids: string[] = [];
  await stage.sql.begin(async (sql) => {
    ids.push(await createConfirmedUser(sql, { email, password: PASSWORD, fullName: "Banc" }));
  });
  const response = await fetch(`${stage.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { access_token } = token.parse(await response.json());
  return {
    id: ids[0] ?? "",
    headers: {
      apikey: publishableKey,
      authorization: `Bearer ${access_token}`,
      "content-type": "application/json",
    },
  };
}

/** Plants the data set of `scale.sql` with two owners, of the large organisation and of the empty one. */
export async function plant(stage: Stage, size: string): Promise<{ large: Owner; empty: Owner }> {
  const owners = {
    large: await createOwner(stage, "grand@exemple.fr"),
    empty: await createOwner(stage, "petit@exemple.fr"),
  };
  const began = performance.now();
  const sql = postgres(stage.databaseUrl, { max: 1, onnotice: () => undefined });
  await sql`
    select set_config('bench.size', ${size}, false), set_config('bench.owner', ${owners.large.id}, false),
      set_config('bench.newcomer', ${owners.empty.id}, false)`;
  await sql.unsafe(await readFile(new URL("./scale.sql", import.meta.url), "utf8")).simple();
  await sql`vacuum analyze`;
  const [counted] = await sql<{ events: string; customers: string; bytes: string }[]>`
    select sum(reltuples) filter (where relname <> 'customers')::bigint as events,
      sum(reltuples) filter (where relname = 'customers')::bigint as customers,
      pg_size_pretty(pg_database_size(current_database())) as bytes
    from pg_class
    where oid in ('public.scan_events'::regclass, 'public.pre_spin_reviews'::regclass, 'public.spins'::regclass,
      'public.redemptions'::regclass, 'public.customers'::regclass)`;
  await sql.end();
  say(
    `${counted?.events} events, ${counted?.customers} customers, ${counted?.bytes}, ` +
      `made in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
  return owners;
}
