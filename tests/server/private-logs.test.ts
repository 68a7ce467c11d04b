import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { reviewResponse, spinResult } from "#domain/schemas/journey.ts";
import { playForReview } from "../database/support/calls.ts";
import { createCampaign, createReward, createStore, drawWheel } from "../harness/fixtures.ts";
import { latestMail } from "../harness/mailbox.ts";
import { openAdmin, startProgram, temporaryFolder } from "./program.ts";

/** Names, contacts and typed texts of people: each can be found again wherever it was written. */
const MARKS = {
  owner: "Odette-Marquepatronne",
  ownerEmail: "odette.marquepatronne@exemple.fr",
  password: "marque-mot-de-passe-des-essais",
  wrongPassword: "marque-faux-mot-de-passe",
  colleague: "Paulin-Marquecollegue",
  colleagueEmail: "paulin.marquecollegue@exemple.fr",
  firstName: "Jeanne-Marqueprenom",
  lastName: "Marquenom",
  email: "jeanne.marquecliente@exemple.fr",
  phone: "612349876",
  text: "Marquetexte, le pain était froid",
  address: "203.0.113.177",
  phoneName: "Marquetelephone/9",
  wrongCode: "WINMARQUE77",
} as const;

const answered = z.object({ access_token: z.string() });

it("a whole journey leaves no name, address, number, code or text in what the process writes and counts", async () => {
  const folder = await temporaryFolder();
  const env = { TOURNAVIS_DATA: folder, TRUST_PROXY: "1" };
  const program = startProgram({ env, argv: ["--no-demo"] });
  const at = await program.url;
  const sql = await openAdmin(folder);
  const apikey = (await readFile(join(folder, "secrets", "publishable-key"), "utf8")).trim();

  const ask = async (path: string, body?: object, token?: string): Promise<Response> =>
    fetch(`${at}${path}`, {
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      headers: {
        apikey,
        "content-type": "application/json",
        "x-forwarded-for": MARKS.address,
        "user-agent": MARKS.phoneName,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
    });
  const done = async (path: string, body?: object, token?: string): Promise<unknown> => {
    const response = await ask(path, body, token);
    const text = await response.text();
    expect([path, response.ok, text]).toEqual([path, true, text]);
    return text === "" ? null : JSON.parse(text);
  };
  const refused = async (path: string, body?: object, token?: string): Promise<void> => {
    const response = await ask(path, body, token);
    expect([path, response.status, await response.text()]).toEqual([
      path,
      expect.toSatisfy((status) => status >= 400 && status < 500),
      expect.anything(),
    ]);
  };

  // Two people make accounts; one invites the other.
  const account = async (email: string, name: string): Promise<string> => {
    const { password } = MARKS;
    await done("/auth/v1/signup", { email, password, data: { full_name: name } });
    await latestMail(at, email);
    const [mail] = await sql<{ code: string }[]>`
      select data ->> 'code' as code from private.outbox
      where recipient = ${email} order by id desc limit 1`;
    const token = mail?.code;
    return answered.parse(await done("/auth/v1/verify", { type: "signup", email, token }))
      .access_token;
  };
  const owner = await account(MARKS.ownerEmail, MARKS.owner);
  await done(
    "/rest/v1/rpc/create_organization",
    { p_name: "Chez nous", p_slug: "chez-nous" },
    owner,
  );
  await sql`update public.subscriptions set plan = 'pro', trial_end = null`;
  await done(
    "/rest/v1/rpc/invite_member",
    { p_email: MARKS.colleagueEmail, p_role: "admin" },
    owner,
  );
  const { links } = await latestMail(at, MARKS.colleagueEmail);
  const invitation = new URL(links.find((link) => link.includes("/invitation")) ?? "");
  const token = invitation.searchParams.get("token") ?? invitation.hash.slice(1);
  await done("/functions/v1/invitation", { token });
  const colleague = await account(MARKS.colleagueEmail, MARKS.colleague);
  await done("/rest/v1/rpc/accept_invitation", { p_token: token }, colleague);

  // A customer comes, is unhappy, writes why, wins, and has the prize sent.
  const [organization] = await sql<{ id: string }[]>`select id from public.organizations`;
  const orgId = organization?.id ?? "";
  const storeId = await createStore(sql, { orgId });
  const campaign = await createCampaign(sql, { orgId, storeId });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId: await createReward(sql, campaign) }]);
  expect((await ask(`/c/${campaign.slug}/play?source=qr&contact=${MARKS.email}`)).status).toBe(200);
  const rating = {
    campaign_id: campaign.id,
    visit_id: crypto.randomUUID(),
    end_user: {
      first_name: MARKS.firstName,
      last_name: MARKS.lastName,
      email: MARKS.email,
      phone: `+33${MARKS.phone}`,
    },
    rating: 1,
  };
  const { review_id } = reviewResponse.parse(await done("/functions/v1/review_record", rating));
  await done("/functions/v1/review_record", { review_id, feedback: MARKS.text });
  const play = playForReview(campaign, review_id);
  const { redemption_code: code } = spinResult.parse(await done("/functions/v1/spin_wheel", play));

  // At the till, and in the back-office: what works, and what is refused with what was typed in it.
  await done("/functions/v1/redeem", { code, store_id: storeId }, colleague);
  await refused("/functions/v1/redeem", { code: MARKS.wrongCode, store_id: storeId }, colleague);
  const order = { type: "customers", org_id: orgId, filters: {} };
  expect(await (await ask("/functions/v1/exports-csv", order, owner)).text()).toContain(
    MARKS.email,
  );
  const archive = await ask("/functions/v1/export-organization", { org_id: orgId }, owner);
  expect((await archive.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  await refused("/functions/v1/review_record", { ...rating, [MARKS.text]: MARKS.lastName });
  await refused(`/rest/v1/customers?select=${MARKS.lastName}`, undefined, owner);
  await refused(`/rest/v1/customers?id=eq.${MARKS.email}`, undefined, owner);
  await refused(`/rest/v1/customers?id=gt.0.${MARKS.email}&or=(x)`, undefined, owner);
  await refused(`/rest/v1/customers?--=eq.${MARKS.email}&select=id::text`, undefined, owner);
  await refused(`/rest/v1/${MARKS.lastName}?name=eq.${MARKS.firstName}`, undefined, owner);
  await refused(
    "/rest/v1/rpc/create_organization",
    { p_name: MARKS.text, p_slug: MARKS.lastName },
    owner,
  );
  await refused(
    "/rest/v1/rpc/invite_member",
    { p_email: MARKS.colleagueEmail, p_role: "admin" },
    owner,
  );
  const { ownerEmail: email, wrongPassword: password } = MARKS;
  await refused("/auth/v1/token?grant_type=password", { email, password });
  await refused(`/functions/v1/${MARKS.lastName}`, {});

  const metrics = await (await fetch(`${at}/metrics`)).text();
  expect(metrics).toContain("http_requests_total");
  program.signal("SIGTERM");
  expect((await program.ended).code).toBe(0);

  const written = `${program.output()}\n${program.complaint()}\n${metrics}`.toLowerCase();
  expect(written).toContain("/functions/v1/spin_wheel");
  // A wrong request has its line, and is no failure of the server.
  expect(written).toContain("data_refused");
  expect(written).not.toContain("library_message");
  // Local mode writes a line for a reader: event, then facts.
  expect(written).toMatch(/sign_in method=code code=ok requestid=/);
  expect(written).toMatch(/sign_in method=password code=invalid_credentials requestid=/);
  const leaked = Object.entries({
    ...MARKS,
    code,
    token,
    ownerToken: owner,
    colleagueToken: colleague,
    mark: "marque",
  })
    .filter(([, mark]) => mark !== null && written.includes(mark.toLowerCase()))
    .map(([name]) => name);
  expect(leaked).toEqual([]);
});
