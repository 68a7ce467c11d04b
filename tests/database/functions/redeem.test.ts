import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ErrorCode, errorBody } from "#domain/errors/errors.ts";
import { redeemResponse, spinResult } from "#domain/schemas/journey.ts";
import { secondsFromNow } from "../../harness/clock.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  createUser,
  drawWheel,
  type Organization,
  ROLES,
  type User,
} from "../../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { type Answer, newDevice, playOf, verdict } from "../support/calls.ts";

/** The till over HTTP: who may use a code, and what each of them is told. */

let server: TestServer;
let ours: Organization;
let campaign: Campaign;

beforeAll(async () => {
  server = await startTestServer();
  ours = await createOrganization(server.database.sql);
  campaign = await winningCampaign(ours);
});

afterAll(() => server.stop());

async function winningCampaign({ id: orgId, storeId }: Organization): Promise<Campaign> {
  const { sql } = server.database;
  const made = await createCampaign(sql, { orgId, storeId });
  const rewardId = await createReward(sql, made, { name: "Café offert" });
  await drawWheel(sql, made, [{ weight: 100, rewardId }]);
  return made;
}

async function win(where = campaign): Promise<string> {
  const answer = await server.call("spin_wheel", playOf(where, { name: "Ana Petit" }));
  return spinResult.parse(answer.body).redemption_code ?? "";
}

async function tokenOf(user: User): Promise<string> {
  return (await server.signIn(user)).token;
}

function use(code: string, token: string | undefined, storeId = ours.storeId): Promise<Answer> {
  return server.call(
    "redeem",
    { code, store_id: storeId },
    { ...(token !== undefined && { token }) },
  );
}

/** Uses a code, and hangs up as soon as the answer is on its way. */
async function useAndHangUp(body: Record<string, unknown>, token: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(`${server.url}/functions/v1/redeem`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    });
    request.once("error", reject);
    request.once("response", (response) => {
      response.destroy();
      resolve();
    });
    request.end(JSON.stringify(body));
  });
}

function refusal(answer: Answer, status: number, code: ErrorCode, message: string) {
  expect(verdict(answer)).toBe(`${status} ${code}`);
  const { error } = errorBody.parse(answer.body);
  expect(error.message).toBe(message);
  return error.details;
}

async function statusOf(code: string): Promise<string | undefined> {
  const [row] = await server.database.sql<{ status: string }[]>`
    select status from public.redemptions where code = ${code}`;
  return row?.status;
}

describe("a code is used", () => {
  it.each(ROLES)("by whoever works there: %s", async (role) => {
    const code = await win();
    const answer = await use(code, await tokenOf(ours.users[role]));
    expect(answer.status).toBe(200);
    // The schema drops what it does not name: nothing was dropped.
    expect(redeemResponse.parse(answer.body)).toEqual(answer.body);
    expect(answer.body).toMatchObject({
      code,
      reward: { name: "Café offert", type: "gift" },
      customer: { name: "Ana Petit" },
    });
    expect(await statusOf(code)).toBe("used");
  });

  it("as it was typed: in small letters, with spaces", async () => {
    const code = await win();
    const answer = await use(
      ` ${code.toLowerCase().replace("win", "win ")} `,
      await tokenOf(ours.users.cashier),
    );
    expect(answer.body).toMatchObject({ code });
  });
});

describe("a request that got no answer", () => {
  it("gets it when it is repeated with its identifier, and « used » without", async () => {
    const token = await tokenOf(ours.users.cashier);
    const code = await win();
    const body = { code, store_id: ours.storeId, request_id: randomUUID() };
    await useAndHangUp(body, token);
    expect(await statusOf(code)).toBe("used");
    const again = await server.call("redeem", body, { token });
    expect(again).toMatchObject({ status: 200, body: { code, customer: { name: "Ana Petit" } } });
    expect((await server.call("redeem", body, { token })).text).toBe(again.text);
    expect(verdict(await use(code, token))).toBe("409 code_used");
    const [row] = await server.database.sql`
      select count(*)::integer as uses from public.redemption_events e
      join public.redemptions r on r.org_id = e.org_id and r.id = e.redemption_id where r.code = ${code}`;
    expect(row).toEqual({ uses: 1 });
  });

  it("has an identifier, or none", async () => {
    const token = await tokenOf(ours.users.cashier);
    const code = await win();
    for (const request_id of ["1", null, 7]) {
      const body = { code, store_id: ours.storeId, request_id };
      expect(verdict(await server.call("redeem", body, { token }))).toBe("400 invalid_request");
    }
    expect(await statusOf(code)).toBe("available");
  });
});

describe("a code is refused", () => {
  let token: string;

  beforeAll(async () => {
    token = await tokenOf(ours.users.cashier);
  });

  it("when it was used: with when and by whom", async () => {
    const code = await win();
    const first = await use(code, await tokenOf(ours.users.member));
    const details = refusal(
      await use(code, token),
      409,
      "code_used",
      "Ce code a déjà été utilisé.",
    );
    expect(details).toEqual({
      used_at: redeemResponse.parse(first.body).used_at,
      used_by: "Camille Martin",
    });
  });

  it("when it was used by somebody whose account is gone: with when", async () => {
    const { sql } = server.database;
    const leaver = await createUser(sql);
    await sql`
      insert into public.organization_members (org_id, user_id, role) values (${ours.id}, ${leaver.id}, 'cashier')`;
    const code = await win();
    await use(code, await tokenOf(leaver));
    await sql`delete from auth.users where id = ${leaver.id}`;
    const details = refusal(
      await use(code, token),
      409,
      "code_used",
      "Ce code a déjà été utilisé.",
    );
    expect(details).toEqual({ used_at: expect.any(String) });
  });

  it("when it has expired: with when", async () => {
    const code = await win();
    await server.database.sql`
      update public.redemptions set expires_at = '2026-01-31T22:30:00Z' where code = ${code}`;
    const details = refusal(await use(code, token), 409, "code_expired", "Ce code a expiré.");
    expect(new Date(details?.expires_at ?? "")).toEqual(new Date("2026-01-31T22:30:00Z"));
    expect(await statusOf(code)).toBe("available");
  });

  it("while the team checks it, and when it has cancelled it", async () => {
    const { sql } = server.database;
    const code = await win();
    await sql`update public.redemptions set verdict = 'held' where code = ${code}`;
    const waits =
      "Ce code est en cours de vérification\u00a0: il ne peut pas être validé pour le moment.";
    expect(refusal(await use(code, token), 409, "code_held", waits)).toBeUndefined();
    expect(await statusOf(code)).toBe("available");
    await sql`
      update public.redemptions set verdict = 'cancelled', status = 'expired' where code = ${code}`;
    const gone = "Ce gain a été annulé par l’équipe.";
    expect(refusal(await use(code, token), 409, "code_cancelled", gone)).toBeUndefined();
    expect(await statusOf(code)).toBe("expired");
  });

  it("at another store of ours: with the name of the right one", async () => {
    const { sql } = server.database;
    const code = await win();
    const elsewhere = await createStore(sql, { orgId: ours.id });
    const [store] = await sql<{ name: string }[]>`
      select name from public.stores where id = ${ours.storeId}`;
    const answer = await use(code, token, elsewhere);
    expect(
      refusal(answer, 409, "code_other_store", "Ce code est valable dans un autre magasin."),
    ).toEqual({ store_name: store?.name });
    expect(await statusOf(code)).toBe("available");
  });

  it("when it comes from the test mode", async () => {
    const body = { campaign_id: campaign.id, test: true, device_fp: newDevice() };
    const test = await server.call("spin_wheel", body);
    const code = spinResult.parse(test.body).redemption_code ?? "";
    const message = "Ce code vient du mode test\u00a0: il ne donne droit à rien.";
    expect(refusal(await use(code, token), 409, "code_test", message)).toBeUndefined();
  });

  it("when it does not exist, and exactly so when it is another merchant's", async () => {
    const { sql } = server.database;
    const theirs = await createOrganization(sql);
    const elsewhere = await winningCampaign(theirs);
    const unknown = await use("WINZZZZ9999", token);
    const message = "Ce code n’existe pas. Vérifiez les caractères.";
    expect(refusal(unknown, 404, "code_not_found", message)).toBeUndefined();

    const [available, used, expired] = [
      await win(elsewhere),
      await win(elsewhere),
      await win(elsewhere),
    ];
    await use(used, await tokenOf(theirs.users.owner), theirs.storeId);
    await sql`update public.redemptions set expires_at = now() where code = ${expired}`;
    for (const code of [available, used, expired]) {
      const answer = await use(code, token);
      expect([answer.status, answer.text]).toEqual([unknown.status, unknown.text]);
      expect([...answer.headers.keys()]).toEqual([...unknown.headers.keys()]);
    }
    expect(await statusOf(available)).toBe("available");
  });

  it("to whoever tries too many, with the seconds to wait", async () => {
    const { sql } = server.database;
    const user = await createUser(sql);
    await sql`
      insert into public.organization_members (org_id, user_id, role) values (${ours.id}, ${user.id}, 'cashier')`;
    const eager = await tokenOf(user);
    const code = await win();
    // Far more than two minutes allow: whenever a minute begins, one of them is full.
    const guesses = Array.from({ length: 300 }, (_, n) => use(`WINAAAA${1000 + n}`, eager));
    const answers = await Promise.all(guesses);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      refusal(
        answer,
        429,
        "too_many_attempts",
        "Trop d’essais. Patientez un instant, puis réessayez.",
      );
      expect(answer.headers.get("retry-after")).toBe("60");
    }
    // Another till goes on.
    expect((await use(code, token)).status).toBe(200);
  });
});

describe("nobody uses a code", () => {
  const message = "Connectez-vous pour continuer.";
  const key = (secret: string) => new TextEncoder().encode(secret);

  /** An access token as the platform signs them, with one thing changed. */
  function tokenWith(
    claims: Record<string, unknown>,
    { secret, lives = 3600 }: { secret?: string; lives?: number } = {},
  ): Promise<string> {
    const now = Math.floor(secondsFromNow(0).getTime() / 1000);
    const { id } = ours.users.owner;
    const who = { role: "authenticated", sub: id, session_id: id, aal: "aal1" };
    const content = { ...who, iat: now - 7200, exp: now + lives, ...claims };
    if (secret === undefined) return server.running.tokens.sign(content);
    return new SignJWT(content).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(key(secret));
  }

  it("without a session", async () => {
    const code = await win();
    expect(refusal(await use(code, undefined), 401, "unauthenticated", message)).toBeUndefined();
    // Not even what is wrong with the request is told.
    const nothing = await server.call("redeem", {});
    refusal(nothing, 401, "unauthenticated", message);
    expect(await statusOf(code)).toBe("available");
  });

  it("with a token that is no session of ours", async () => {
    const code = await win();
    const { publishableKey, secretKey, hashKey } = server.running.secrets;
    const unsigned = [
      { alg: "none", typ: "JWT" },
      { role: "authenticated", sub: ours.users.owner.id, session_id: ours.users.owner.id },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const sound = await tokenWith({});
    const tokens: Record<string, string> = {
      "no token at all": "rien",
      "the browser's key": publishableKey,
      "the server's key": secretKey,
      unsigned: `${unsigned}.`,
      "signed with another key": await tokenWith({}, { secret: hashKey }),
      expired: await tokenWith({}, { lives: -60 }),
      "of nobody signed in": await tokenWith({ role: "anon" }),
      "of the server": await tokenWith({ role: "service_role" }),
      "without a role": await tokenWith({ role: undefined }),
      "without a user": await tokenWith({ sub: undefined }),
      "without a session": await tokenWith({ session_id: undefined }),
      "of a session that is none": await tokenWith({ session_id: ours.id }),
      "of somebody else's session": await tokenWith({ session_id: ours.users.cashier.id }),
      "of nobody": await tokenWith({ sub: "00000000-0000-4000-8000-00000000ffff" }),
      "of no UUID": await tokenWith({ sub: "1; drop table" }),
      "with another content": sound.replace(/\.[^.]+\./, `.${unsigned.split(".")[1]}.`),
      "cut short": sound.slice(0, -4),
    };
    for (const [name, token] of Object.entries(tokens)) {
      const answer = await use(code, token);
      expect([name, verdict(answer)]).toEqual([name, "401 unauthenticated"]);
    }
    for (const authorization of [`Basic ${sound}`, sound, "Bearer", `Bearer  `]) {
      const answer = await server.call(
        "redeem",
        { code, store_id: ours.storeId },
        { headers: { authorization } },
      );
      expect([authorization.slice(0, 8), verdict(answer)]).toEqual([
        authorization.slice(0, 8),
        "401 unauthenticated",
      ]);
    }
    expect(await statusOf(code)).toBe("available");
    expect((await use(code, sound)).status).toBe(200);
  });

  it("who does not work there, or no longer", async () => {
    const { sql } = server.database;
    const code = await win();
    const theirs = await createOrganization(sql);
    const nobody = await createUser(sql);
    const leaver = await createUser(sql);
    await sql`
      insert into public.organization_members (org_id, user_id, role) values (${ours.id}, ${leaver.id}, 'owner')`;
    const left = await tokenOf(leaver);
    await sql`delete from public.organization_members where user_id = ${leaver.id}`;
    const forbidden = "Vous n’avez pas le droit de valider des codes pour ce magasin.";
    const tries: [string, string?][] = [
      [await tokenOf(nobody)],
      [left],
      [await tokenOf(theirs.users.owner)],
      [await tokenOf(ours.users.owner), theirs.storeId],
      [await tokenOf(ours.users.owner), "00000000-0000-4000-8000-00000000ffff"],
    ];
    for (const [token, storeId] of tries) {
      expect(refusal(await use(code, token, storeId), 403, "forbidden", forbidden)).toBeUndefined();
    }
    expect(await statusOf(code)).toBe("available");
  });
});

it("a failure of ours is answered in a sentence, logged by its code, and uses nothing", async () => {
  const { sql } = server.database;
  const code = await win();
  const token = await tokenOf(ours.users.cashier);
  await sql`alter table public.redemption_events add constraint test_refusal check (false) not valid`;
  try {
    const message = "Une erreur est survenue. Réessayez dans un instant.";
    const answer = await use(code, token);
    expect(refusal(answer, 500, "internal_error", message)).toBeUndefined();
    expect(server.log).toContainEqual({
      event: "function_failed",
      level: "error",
      function: "redeem",
      requestId: answer.headers.get("x-request-id"),
      code: "23514",
      constraint: "test_refusal",
    });
    expect(JSON.stringify(server.log)).not.toContain(code);
  } finally {
    await sql`alter table public.redemption_events drop constraint test_refusal`;
  }
  expect(await statusOf(code)).toBe("available");
  expect((await use(code, token)).status).toBe(200);
});
