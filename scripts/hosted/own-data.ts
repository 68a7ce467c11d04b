import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { RunningServer } from "../../server/server.ts";
import { ask, signIn } from "./compare-answers.ts";

const withId = z.object({ id: z.uuid() });
const outcome = z.object({ outcome: z.string() });
const organizer = z.object({ organizer: z.string() });
const madeKey = z.object({ key: z.string() });
const exchanged = z.object({ access_token: z.string() });

type Project = {
  /** Origin of the project's gateway. */
  url: string;
  siteUrl: string;
  /** Password of the demo shop's owner. */
  password: string;
};

/**
 * People and their own data on a project: a customer withdraws their consent by the link of a mail, a key of the API reads, an
 * account is copied and deleted. Throws where an answer, or what is stored afterwards, is another than on our own server.
 */
export async function tryOwnData(server: RunningServer, project: Project): Promise<void> {
  await withdrawConsent(server, project);
  await readWithKey(server, project);
  await refuseLastOwner(server, project);
  await deleteAccount(server, project);
}

function expect(what: string, found: unknown, expected: unknown): void {
  if (found === expected) return;
  throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

async function withdrawConsent({ adminSql }: RunningServer, { url, siteUrl }: Project) {
  const [customer] = await adminSql<{ id: string; token: string }[]>`
    select c.id, private.consent_token(c.org_id, c.id) as token
    from public.customers c where c.consent_marketing limit 1`;
  if (!customer) throw new Error("No customer of the demo shop agreed to offers.");
  const query = `?token=${customer.token}&kind=offers`;
  const link = `${url}/functions/v1/unsubscribe${query}`;
  const opened = await fetch(link, { redirect: "manual" });
  expect("unsubscribe leads to", opened.headers.get("location"), `${siteUrl}/unsubscribe${query}`);
  const consented = async () => {
    const [row] = await adminSql<{ by: string | null; consents: boolean }[]>`
      select consent_withdrawn_by as by, consent_marketing as consents
      from public.customers where id = ${customer.id}`;
    return row;
  };
  expect("consent after the link was opened", (await consented())?.consents, true);
  const told = await ask(`${url}/functions/v1/consent`, {
    method: "POST",
    body: JSON.stringify({ token: customer.token }),
  });
  organizer.parse(told.body);
  expect("unsubscribe", (await ask(link, { method: "POST" })).status, 200);
  expect("consent after the press", (await consented())?.by, "customer");
}

async function readWithKey(server: RunningServer, { url, password }: Project) {
  const authorization = await signIn(server, { email: server.demo?.email ?? "", password });
  const apikey = server.secrets.publishableKey;
  const made = await ask(`${url}/rest/v1/rpc/create_api_key`, {
    method: "POST",
    headers: { apikey, authorization },
    body: JSON.stringify({ p_name: "Caisse", p_scope: "read" }),
  });
  const { key } = madeKey.parse(made.body);
  const token = await ask(`${url}/functions/v1/api-token`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
  });
  const { access_token } = exchanged.parse(token.body);
  const read = await ask(`${url}/rest/v1/customers?select=id&limit=1`, {
    headers: { apikey, authorization: `Bearer ${access_token}` },
  });
  expect("customers by a key", z.array(withId).parse(read.body).length, 1);
}

/** Origin of the data API, its publishable key, and the header of somebody's session. */
type Called = { url: string; key: string; session: string };

/** Calls a function of the data API as somebody who is signed in. */
async function call(project: Called, name: string, body: object = {}) {
  const answer = await ask(`${project.url}/rest/v1/rpc/${name}`, {
    method: "POST",
    headers: { apikey: project.key, authorization: project.session },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(`${name}: ${JSON.stringify(answer)}`);
  return outcome.parse(answer.body).outcome;
}

async function refuseLastOwner(server: RunningServer, { url, password }: Project) {
  const email = server.demo?.email ?? "";
  const [owner] = await server.adminSql<{ id: string }[]>`
    select id from auth.users where email = ${email}`;
  const session = await signIn(server, { email, password });
  const called = { url, key: server.secrets.publishableKey, session };
  const answer = await call(called, "delete_account", { p_id: owner?.id });
  expect("last owner", answer, "last_owner");
}

async function deleteAccount(server: RunningServer, { url }: Project) {
  const { adminSql, secrets } = server;
  const account = { email: "jamais.la@exemple.fr", password: randomUUID() };
  const made = await ask(`${server.url}/auth/v1/admin/users`, {
    method: "POST",
    headers: { apikey: secrets.secretKey, authorization: `Bearer ${secrets.secretKey}` },
    body: JSON.stringify({ ...account, email_confirm: true }),
  });
  const { id: p_id } = withId.parse(made.body);
  // The platform's own service writes down every sign-in, with the address.
  await adminSql`
    insert into auth.audit_log_entries (id, payload, created_at, ip_address)
    values (${randomUUID()}, ${adminSql.json({ action: "login", actor_id: p_id, actor_username: account.email })}, now(), '')`;
  const session = await signIn(server, account);
  const called = { url, key: secrets.publishableKey, session };
  expect("copy", await call(called, "copy_account_data"), "copied");
  expect("deletion", await call(called, "delete_account", { p_id }), "deleted");
  const left = await adminSql<{ what: string }[]>`
    select 'account' as what from auth.users where id = ${p_id}
    union all select 'session' from auth.sessions where user_id = ${p_id}
    union all select 'log' from auth.audit_log_entries where payload::text like ${`%${p_id}%`}`;
  expect("left of the account", left.map(({ what }) => what).join(), "");
  const mails = await adminSql`
    select from private.outbox where template = 'account_deleted' and recipient = ${account.email}`;
  expect("mails about the deletion", mails.length, 1);
}
