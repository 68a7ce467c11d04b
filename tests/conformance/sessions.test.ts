import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "#domain/text/durations.ts";
import { createUser, PASSWORD, type User } from "../harness/fixtures.ts";
import { type Bench, startBench } from "./support/service.ts";

/** Access tokens, refresh tokens and signing out. */

const SECOND = 1_000;

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.stop());

type Client = ReturnType<Bench["client"]>;

async function signIn(user?: User): Promise<{ user: User; client: Client; refreshToken: string }> {
  const known = user ?? (await createUser(bench.database.sql));
  const client = bench.client();
  const { data, error } = await client.auth.signInWithPassword({
    email: known.email,
    password: PASSWORD,
  });
  if (error !== null) throw error;
  return { user: known, client, refreshToken: data.session.refresh_token };
}

/** How many sessions a user has, beside the one with which fixtures come. */
async function sessionsOf({ id }: User): Promise<number> {
  const rows = await bench.database.sql`
    select from auth.sessions where user_id = ${id} and id <> user_id`;
  return rows.length;
}

const refresh = (token: string) =>
  bench.call("/token?grant_type=refresh_token", { body: { refresh_token: token } });

const tokenIn = (body: unknown): string =>
  typeof body === "object" && body !== null && "refresh_token" in body
    ? String(body.refresh_token)
    : "";

const accessTokenOf = async ({ auth }: Client): Promise<string> =>
  (await auth.getSession()).data.session?.access_token ?? "";

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

describe("an access token", () => {
  test("carries what the hosted platform's does, at sign-in and after a refresh", async () => {
    const { user, client } = await signIn();
    const now = Math.floor(bench.deps.now().getTime() / 1000);
    const [session] = await bench.database.sql<{ id: string }[]>`
      select id from auth.sessions where user_id = ${user.id} and id <> user_id`;
    const expected = {
      iss: "https://tournavis.exemple.fr/auth/v1",
      sub: user.id,
      aud: "authenticated",
      role: "authenticated",
      email: user.email,
      phone: "",
      app_metadata: { provider: "email", providers: ["email"] },
      user_metadata: { full_name: "Camille Martin" },
      aal: "aal1",
      amr: [{ method: "password" }],
      session_id: session?.id,
      is_anonymous: false,
    };
    const first = claimsOf(await accessTokenOf(client));
    expect(first).toMatchObject(expected);
    expect(Number(first.iat)).toBeGreaterThanOrEqual(now - 2);
    expect(Number(first.exp)).toBe(Number(first.iat) + 3600);

    expect((await client.auth.refreshSession()).error).toBeNull();
    expect(claimsOf(await accessTokenOf(client))).toMatchObject(expected);
  });

  test("holds for an hour", async () => {
    const { client } = await signIn();
    const token = await accessTokenOf(client);
    bench.advance(3_590 * SECOND);
    expect((await bench.call("/user", { token })).status).toBe(200);
    bench.advance(11 * SECOND);
    expect(await bench.call("/user", { token })).toMatchObject({
      status: 403,
      body: { code: 403, error_code: "bad_jwt" },
    });
  });

  test.each([
    ["another signature", (token: string) => `${token.slice(0, -6)}AAAAAA`],
    [
      "no signature",
      (token: string) =>
        `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${token.split(".")[1]}.`,
    ],
    [
      "another user in it",
      (token: string) => {
        const [head, , signature] = token.split(".");
        const claims = { ...claimsOf(token), sub: "00000000-0000-4000-8000-000000000000" };
        return `${head}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.${signature}`;
      },
    ],
    ["nonsense", () => "a.b.c"],
  ])("with %s is refused", async (_, change) => {
    const { client } = await signIn();
    const answer = await bench.call("/user", { token: change(await accessTokenOf(client)) });
    expect(answer).toMatchObject({ status: 403, body: { error_code: "bad_jwt" } });
  });

  test("of another purpose is refused, though signed with the same key", async () => {
    const { user } = await signIn();
    const exp = Math.floor(bench.deps.now().getTime() / 1000) + 3600;
    const token = await bench.deps.tokens.sign({ sub: user.id, role: "service_role", exp });
    expect((await bench.call("/user", { token })).status).toBe(403);
  });

  test("is demanded", async () => {
    expect(await bench.call("/user")).toMatchObject({
      status: 401,
      body: { error_code: "no_authorization", msg: "This endpoint requires a valid Bearer token" },
    });
  });
});

describe("a refresh token", () => {
  test("that was used by a clock ahead does not serve until that time comes again", async () => {
    const { refreshToken } = await signIn();
    bench.advance(DAY_MS);
    const { body } = await refresh(refreshToken);
    bench.advance(-DAY_MS);
    expect(await refresh(refreshToken)).toMatchObject({
      status: 400,
      body: { error_code: "refresh_token_already_used" },
    });
    expect((await refresh(tokenIn(body))).status).toBe(400);
  });

  test("is exchanged for another; the old one serves ten seconds more", async () => {
    const { refreshToken } = await signIn();
    const first = await refresh(refreshToken);
    expect(first.status).toBe(200);
    const next = tokenIn(first.body);
    expect(next).not.toBe(refreshToken);

    bench.advance(9 * SECOND);
    const late = await refresh(refreshToken);
    expect(late.status).toBe(200);
    // The pair that is valid already, not a second line of tokens.
    expect(tokenIn(late.body)).toBe(next);
    expect((await refresh(next)).status).toBe(200);
  });

  test("whose answer was lost serves two minutes more, as long as the next one was not used", async () => {
    const { refreshToken } = await signIn();
    const next = tokenIn((await refresh(refreshToken)).body);
    // The client notices after 15 seconds, and tries again after half a minute.
    bench.advance(119 * SECOND);
    const again = await refresh(refreshToken);
    expect([again.status, tokenIn(again.body)]).toEqual([200, next]);
    bench.advance(2 * SECOND);
    expect(await refresh(refreshToken)).toMatchObject({
      status: 400,
      body: { error_code: "refresh_token_already_used" },
    });
    expect((await refresh(next)).status).toBe(400);
  });

  test("used again later ends the session, for the thief and for the owner", async () => {
    const { user, client, refreshToken } = await signIn();
    const second = tokenIn((await refresh(refreshToken)).body);
    const next = tokenIn((await refresh(second)).body);
    bench.advance(11 * SECOND);
    const replay = await refresh(refreshToken);
    expect(replay).toMatchObject({
      status: 400,
      body: {
        error_code: "refresh_token_already_used",
        msg: "Invalid Refresh Token: Already Used",
      },
    });
    expect(await refresh(next)).toMatchObject({
      status: 400,
      body: { error_code: "refresh_token_not_found" },
    });
    expect(await sessionsOf(user)).toBe(0);
    const call = await bench.call("/user", { token: await accessTokenOf(client) });
    expect(call.body).toMatchObject({ error_code: "session_not_found" });
  });

  test("sent by many tabs at once gives all of them the same", async () => {
    const { user, refreshToken } = await signIn();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => tokenIn(body))).size).toBe(1);
    const rows = await bench.database.sql`
      select from auth.refresh_tokens where user_id = ${user.id} and not revoked`;
    expect(rows).toHaveLength(1);
  });

  test("stands in no table as it is", async () => {
    const { refreshToken } = await signIn();
    const [row] = await bench.database.sql<{ found: boolean }[]>`
      select exists (
        select from auth.refresh_tokens t where position(${refreshToken} in t::text) > 0) as found`;
    expect(row?.found).toBe(false);
  });

  test.each([
    ["unknown", { refresh_token: "inconnu" }, "refresh_token_not_found"],
    ["missing", {}, "validation_failed"],
  ])("that is %s is refused", async (_, body, code) => {
    const answer = await bench.call("/token?grant_type=refresh_token", { body });
    expect(answer).toMatchObject({ status: 400, body: { error_code: code } });
  });

  test("that nobody used for 180 days is refused, before its session is removed", async () => {
    const { user, refreshToken } = await signIn();
    bench.advance(179 * DAY_MS);
    const next = tokenIn((await refresh(refreshToken)).body);
    expect(next).not.toBe("");
    bench.advance(180 * DAY_MS + SECOND);
    const late = await refresh(next);
    bench.advance(-359 * DAY_MS - SECOND);
    expect(late).toMatchObject({ status: 400, body: { error_code: "session_expired" } });
    expect(await sessionsOf(user)).toBe(1);
  });

  test("of a session that began a year ago is refused, however lately it was used", async () => {
    const { client, refreshToken } = await signIn();
    let token = refreshToken;
    for (const days of [150, 150, 64]) {
      bench.advance(days * DAY_MS);
      token = tokenIn((await refresh(token)).body);
      expect(token).not.toBe("");
    }
    const access = await accessTokenOf(client);
    bench.advance(DAY_MS);
    const late = await refresh(token);
    bench.advance(-365 * DAY_MS);
    expect(late).toMatchObject({ status: 400, body: { error_code: "session_expired" } });
    expect((await bench.call("/user", { token: access })).status).toBe(200);
  });

  test("of a banned user is refused", async () => {
    const { user, refreshToken } = await signIn();
    await bench.database.sql`
      update auth.users set banned_until = now() + interval '10 years' where id = ${user.id}`;
    expect((await refresh(refreshToken)).body).toMatchObject({ error_code: "user_banned" });
  });
});

describe("signing out", () => {
  test.each([
    ["local", [false, true]],
    ["others", [true, false]],
    ["global", [false, false]],
  ] as const)("with scope %s", async (scope, [here, there]) => {
    const first = await signIn();
    const second = await signIn(first.user);
    const token = await accessTokenOf(first.client);
    expect((await first.client.auth.signOut({ scope })).error).toBeNull();
    expect((await refresh(first.refreshToken)).status === 200).toBe(here);
    expect((await refresh(second.refreshToken)).status === 200).toBe(there);
    expect((await bench.call("/user", { token })).status).toBe(here ? 200 : 403);
  });

  test("in a way that does not exist is refused and ends nothing", async () => {
    const { user, client } = await signIn();
    const token = await accessTokenOf(client);
    const answer = await bench.call("/logout?scope=tout", { method: "POST", token });
    expect(answer).toMatchObject({ status: 400, body: { error_code: "validation_failed" } });
    expect(await sessionsOf(user)).toBe(1);
  });

  test("twice is no error for the client", async () => {
    const { client } = await signIn();
    const { data } = await client.auth.getSession();
    await client.auth.signOut();
    const other = bench.client();
    const tokens = {
      access_token: data.session?.access_token ?? "",
      refresh_token: data.session?.refresh_token ?? "",
    };
    // The session is gone, so setting it fails; signing out all the same succeeds.
    expect((await other.auth.setSession(tokens)).error?.name).toBe("AuthSessionMissingError");
    expect((await other.auth.signOut()).error).toBeNull();
  });
});

test("a session knows its device and how its user proved who they are", async () => {
  bench.comeFrom("2001:db8:1:2::/64");
  const { user, refreshToken } = await signIn();
  bench.comeFrom("192.0.2.1");
  const read = async () =>
    bench.database.sql`
      select s.ip::text, s.aal::text, a.authentication_method as method, s.refreshed_at is null as unused
      from auth.sessions s join auth.mfa_amr_claims a on a.session_id = s.id
      where s.user_id = ${user.id}`;
  expect(await read()).toEqual([
    { ip: "2001:db8:1:2::/64", aal: "aal1", method: "password", unused: true },
  ]);
  await bench.call("/token?grant_type=refresh_token", {
    body: { refresh_token: refreshToken },
    headers: { "user-agent": "Essai/1.0" },
  });
  expect(await read()).toEqual([
    { ip: "192.0.2.1/32", aal: "aal1", method: "password", unused: false },
  ]);
  const [session] = await bench.database.sql`
    select user_agent from auth.sessions where user_id = ${user.id} and id <> user_id`;
  expect(session).toEqual({ user_agent: "Essai/1.0" });
});
