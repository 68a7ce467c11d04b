import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUser, PASSWORD } from "../harness/fixtures.ts";
import { type Bench, startBench } from "./support/service.ts";

/** Invitations of the operator, and links that they pass on themselves. */

const SITE = "https://tournavis.exemple.fr";
const NEW_PASSWORD = "quatre petits chats";

let bench: Bench;
let admin: ReturnType<typeof createClient>["auth"]["admin"];
beforeAll(async () => {
  bench = await startBench();
  admin = createClient(SITE, bench.deps.secrets.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: async (input, init) => bench.service.fetch(new Request(input, init)) },
  }).auth.admin;
});
afterAll(() => bench.stop());

const newEmail = () => `nouveau-${randomUUID().slice(0, 8)}@exemple.fr`;

/** Follows a link as a program does, which no browser's page asks anything; answers where it leads. */
async function follow(
  url: string | undefined,
): Promise<{ page: string; session: URLSearchParams }> {
  const response = await bench.service.fetch(new Request(url ?? "", { redirect: "manual" }));
  expect(response.status).toBe(303);
  const target = new URL(response.headers.get("location") ?? "");
  return {
    page: `${target.origin}${target.pathname}`,
    session: new URLSearchParams(target.hash.slice(1)),
  };
}

const usersOf = (email: string) =>
  bench.database.sql`select from auth.users where email = ${email}`;

describe("an invitation", () => {
  test("makes an account that waits for its person, and writes to them", async () => {
    const email = newEmail();
    const { data, error } = await admin.inviteUserByEmail(email, {
      data: { full_name: "Zoé Martin" },
      redirectTo: `${SITE}/dashboard`,
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, user_metadata: { full_name: "Zoé Martin" } });
    expect(data.user?.invited_at).toBeTruthy();
    expect(data.user?.email_confirmed_at).toBeUndefined();
    const message = await bench.latest(email);
    expect(message.template).toBe("account_invitation");

    const { page, session } = await follow(message.data.url);
    expect(page).toBe(`${SITE}/dashboard`);
    const client = bench.client();
    await client.auth.setSession({
      access_token: session.get("access_token") ?? "",
      refresh_token: session.get("refresh_token") ?? "",
    });
    expect((await client.auth.getUser()).data.user).toMatchObject({ email });
    const password = await client.auth.updateUser({ password: NEW_PASSWORD });
    expect(password.error).toBeNull();
    expect((await admin.inviteUserByEmail(email)).error).toMatchObject({
      status: 422,
      code: "email_exists",
    });
  });

  test("sent again has another link, and the first opens nothing", async () => {
    const email = newEmail();
    await admin.inviteUserByEmail(email);
    const first = await bench.latest(email);
    expect((await admin.inviteUserByEmail(email)).error).toBeNull();
    expect(await usersOf(email)).toHaveLength(1);
    expect((await follow(first.data.url)).session.get("error_code")).toBe("otp_expired");
    const second = await bench.latest(email);
    expect((await follow(second.data.url)).session.has("access_token")).toBe(true);
  });

  test("never opens an account with the password that a stranger left there", async () => {
    const email = newEmail();
    await bench.client().auth.signUp({ email, password: NEW_PASSWORD });
    await bench.client().auth.signUp({ email, password: "un autre mot de passe" });
    await admin.inviteUserByEmail(email);
    const { data } = await bench.latest(email);
    const client = bench.client();
    const opened = await client.auth.verifyOtp({ email, token: data.code ?? "", type: "invite" });
    // The mail has a link alone.
    expect(opened.error?.code).toBe("validation_failed");
    const request = new Request(data.url ?? "", {
      redirect: "manual",
      headers: { accept: "text/html" },
    });
    const asked = await bench.service.fetch(request);
    // Its page asks for a name and a password before anything is confirmed.
    expect(asked.headers.get("location")).toContain("#confirm=");
    expect(
      (await bench.client().auth.signInWithPassword({ email, password: NEW_PASSWORD })).error?.code,
    ).toBe("invalid_credentials");
  });

  test("to no address is refused, and writes to nobody", async () => {
    const { error, data } = await admin.inviteUserByEmail("xx:;x@x.x");
    expect(error?.message).toBe("Unable to validate email address: invalid format");
    expect(data.user).toBeNull();
  });
});

describe("a link to pass on", () => {
  test("signs somebody up", async () => {
    const email = newEmail();
    const { data, error } = await admin.generateLink({
      type: "signup",
      email,
      password: NEW_PASSWORD,
      options: { data: { status: "alpha" }, redirectTo: `${SITE}/dashboard` },
    });
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toEqual({ status: "alpha" });
    expect(data.properties).toMatchObject({
      verification_type: "signup",
      redirect_to: `${SITE}/dashboard`,
      email_otp: expect.stringMatching(/^\d{6}$/),
    });
    const url = new URL(data.properties?.action_link ?? "");
    expect(url.pathname).toBe("/auth/v1/verify");
    expect(url.searchParams.get("token")).toBe(data.properties?.hashed_token);
    // Nobody is written to.
    expect(await bench.messages(email)).toEqual([]);

    const opened = await bench.client().auth.verifyOtp({
      email,
      token: data.properties?.email_otp ?? "",
      type: "signup",
    });
    expect(opened.error).toBeNull();
    const again = await bench.client().auth.signInWithPassword({ email, password: NEW_PASSWORD });
    expect(again.error).toBeNull();
  });

  test.each(["magiclink", "recovery"] as const)(
    "of kind %s opens an account, once",
    async (type) => {
      const { email, id } = await createUser(bench.database.sql);
      const { data } = await admin.generateLink({ type, email });
      const open = () =>
        bench.client().auth.verifyOtp({ token_hash: data.properties?.hashed_token ?? "", type });
      expect((await open()).data.user?.id).toBe(id);
      expect((await open()).error?.code).toBe("otp_expired");
    },
  );

  test("of kind magiclink signs up whoever has no account", async () => {
    const email = newEmail();
    const { data } = await admin.generateLink({ type: "magiclink", email });
    expect(data.properties?.verification_type).toBe("signup");
    expect((await follow(data.properties?.action_link)).session.has("access_token")).toBe(true);
  });

  test("of kind invite waits for its person", async () => {
    const email = newEmail();
    const { data } = await admin.generateLink({ type: "invite", email });
    expect(data.user?.invited_at).toBeTruthy();
    expect((await follow(data.properties?.action_link)).session.has("access_token")).toBe(true);
  });

  test("changes an address once both mailboxes have agreed", async () => {
    const { email, id } = await createUser(bench.database.sql);
    const changed = newEmail();
    const make = (type: "email_change_current" | "email_change_new") =>
      admin.generateLink({ type, email, newEmail: changed });
    const current = await make("email_change_current");
    expect(current.data.user?.new_email).toBe(changed);
    const next = await make("email_change_new");
    const half = await follow(current.data.properties?.action_link);
    expect(half.session.get("message")).toContain("other email");
    await follow(next.data.properties?.action_link);
    expect((await admin.getUserById(id)).data.user?.email).toBe(changed);
  });

  test("of one change agrees to no other", async () => {
    const { email, id } = await createUser(bench.database.sql);
    const first = await admin.generateLink({
      type: "email_change_current",
      email,
      newEmail: newEmail(),
    });
    await admin.generateLink({ type: "email_change_new", email, newEmail: newEmail() });
    const late = await follow(first.data.properties?.action_link);
    expect(late.session.get("error_code")).toBe("otp_expired");
    expect((await admin.getUserById(id)).data.user?.email).toBe(email);
  });

  test("leads to our own pages alone", async () => {
    const { email } = await createUser(bench.database.sql);
    const { data } = await admin.generateLink({
      type: "magiclink",
      email,
      options: { redirectTo: "https://voleur.exemple" },
    });
    expect(data.properties?.redirect_to).toBe(SITE);
  });

  test.each([
    [
      "no address",
      { type: "signup", email: "xx:;x@x.x", password: NEW_PASSWORD },
      400,
      "validation_failed",
    ],
    ["an unknown kind", { type: "sms", email: "a@exemple.fr" }, 400, "validation_failed"],
    [
      "a sign-up without a password",
      { type: "signup", email: "b@exemple.fr" },
      400,
      "validation_failed",
    ],
    [
      "a weak password",
      { type: "signup", email: "b@exemple.fr", password: "azerty" },
      422,
      "weak_password",
    ],
    ["nobody's recovery", { type: "recovery", email: "b@exemple.fr" }, 404, "user_not_found"],
    [
      "a change to no address",
      { type: "email_change_new", email: "b@exemple.fr" },
      400,
      "validation_failed",
    ],
  ])("for %s is refused, and makes no account", async (_, body, status, code) => {
    const headers = { apikey: bench.deps.secrets.secretKey };
    expect(await bench.call("/admin/generate_link", { body, headers })).toMatchObject({
      status,
      body: { error_code: code },
    });
    expect(await usersOf("b@exemple.fr")).toEqual([]);
  });

  test("to sign up with the address of an account is refused", async () => {
    const { email } = await createUser(bench.database.sql);
    for (const type of ["signup", "invite"] as const) {
      const { error } = await admin.generateLink({ type, email, password: PASSWORD });
      expect(error).toMatchObject({ status: 422, code: "email_exists" });
    }
  });
});
