import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invitationPage } from "#domain/schemas/team.ts";
import { createOrganization, createUser, type Organization } from "../../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { verdict } from "../support/calls.ts";

/** An invitation over HTTP: from the data API through the mailbox and the link's page into the team. */

let server: TestServer;
let ours: Organization;

beforeAll(async () => {
  server = await startTestServer();
  ours = await createOrganization(server.database.sql, { name: "Café des Halles" });
});
afterAll(() => server.stop());

const show = (token: unknown) => server.call("invitation", { token });

/** The data API as the application calls it. */
async function api(user: { email: string }) {
  const { token } = await server.signIn(user);
  const headers = { Authorization: `Bearer ${token}` };
  return createClient(server.url, server.running.secrets.publishableKey, {
    global: { headers },
    auth: { persistSession: false },
  });
}

async function invite(email = `invite-${randomUUID()}@exemple.fr`) {
  const client = await api(ours.users.owner);
  const answer = await client.rpc("invite_member", { p_email: email, p_role: "member" });
  expect(answer.error).toBeNull();
  const [mail] = await server.database.sql<{ path: string }[]>`
    select data ->> 'path' as path from private.outbox where recipient = ${email} order by id desc limit 1`;
  const token = new URL(mail?.path ?? "", server.url).searchParams.get("token") ?? "";
  return { email, token };
}

describe("the link of an invitation", () => {
  it("says who invites to what, to nobody who only guesses", async () => {
    const { email, token } = await invite();
    const answer = await show(token);
    expect(answer.status).toBe(200);
    expect(invitationPage.parse(answer.body)).toEqual(answer.body);
    expect(answer.body).toMatchObject({
      state: "open",
      organization: "Café des Halles",
      email,
      role: "member",
      inviter: "Camille Martin",
    });
    for (const guess of [token.slice(1), token.toUpperCase(), "", "0".repeat(64)]) {
      expect((await show(guess)).body).toEqual({ state: "unknown", organization: null });
    }
  });

  it("takes a body of one text", async () => {
    expect(verdict(await show(1))).toBe("400 invalid_request");
    expect(verdict(await show("x".repeat(201)))).toBe("400 invalid_request");
    expect(verdict(await server.call("invitation", {}))).toBe("400 invalid_request");
  });

  it("lets the invited person in, through the data API, and nobody else", async () => {
    const { email, token } = await invite();
    const stranger = await api(await createUser(server.database.sql));
    const refused = await stranger.rpc("accept_invitation", { p_token: token });
    expect(refused.error).toMatchObject({ code: "TV101" });
    const user = await createUser(server.database.sql, { email });
    const client = await api(user);
    expect((await client.from("stores").select("id")).data).toEqual([]);
    const accepted = await client.rpc("accept_invitation", { p_token: token });
    expect(accepted.data).toEqual({ organization: ours.id, role: "member" });
    expect((await client.from("stores").select("id")).data).toHaveLength(1);

    // The rights of the same session end with the removal.
    const owner = await api(ours.users.owner);
    await owner.rpc("remove_member", { p_member_id: user.id });
    expect((await client.from("stores").select("id")).data).toEqual([]);
    expect((await client.rpc("team", { p_org_id: ours.id })).error).toMatchObject({
      code: "42501",
    });
  });

  it("cannot be asked from the data API", async () => {
    const { token } = await invite();
    const client = await api(ours.users.owner);
    const answer = await client.rpc("invitation_page", { p_token: token });
    expect(answer.error).toMatchObject({ code: "42501" });
  });
});
