import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRefusals } from "../../server/auth/refusals.ts";
import { createAuthService } from "../../server/auth/service.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import { createUser, PASSWORD } from "../harness/fixtures.ts";
import { type Bench, startBench } from "./support/service.ts";

/** Brute force and floods: counted in the database, per account and per address. */

const database = setUpTestDatabase();
let bench: Bench | undefined;
/** Each test starts with nothing counted, in the database as in the service. */
beforeEach(async () => {
  await database.sql`delete from private.rate_limits`;
  bench = await startBench({ database, settings: { allowsAnonymous: true } });
});
afterEach(() => bench?.stop());

function the(): Bench {
  if (bench === undefined) throw new Error("The service has not started.");
  return bench;
}

type Call = { path: string; body: unknown };

/**
 * Calls until the service has had enough, which is not before the limit; answers the refusal.
 * The window of time may end once meanwhile, so more than twice the limit is a failure.
 */
async function callUntilRefused(limit: number, call: (round: number) => Call) {
  for (let round = 0; round <= 2 * limit; round += 1) {
    const { path, body } = call(round);
    const answer = await the().call(path, { body });
    if (answer.status !== 429) continue;
    expect(round).toBeGreaterThanOrEqual(limit);
    return answer;
  }
  throw new Error("The service never refused.");
}

const signIn = (email: string, password = "faux mot de passe"): Call => ({
  path: "/token?grant_type=password",
  body: { email, password },
});

describe("guessing a password", () => {
  test("of one account is stopped after ten, the right one included, and says for how long", async () => {
    const user = await createUser(the().database.sql);
    const answer = await callUntilRefused(10, () => signIn(user.email));
    expect(answer.body).toMatchObject({ code: 429, error_code: "over_request_rate_limit" });
    const seconds = Number(answer.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(600);

    const { path, body } = signIn(user.email, PASSWORD);
    const right = await the().call(path, { body });
    expect(right.status).toBe(429);
    expect(right.text).not.toContain("access_token");
  });

  test("does not lock the owner out, who comes from elsewhere", async () => {
    const user = await createUser(the().database.sql);
    await callUntilRefused(10, () => signIn(user.email));
    the().comeFrom("198.51.100.7");
    const { error } = await the()
      .client()
      .auth.signInWithPassword({ email: user.email, password: PASSWORD });
    expect(error).toBeNull();
  });

  test("from many addresses is stopped as well", async () => {
    const user = await createUser(the().database.sql);
    await callUntilRefused(50, (attempt) => {
      the().comeFrom(`198.51.100.${attempt}`);
      return signIn(user.email);
    });
  });

  test("of accounts that do not exist is counted alike", async () => {
    const email = `${randomUUID()}@exemple.fr`;
    await callUntilRefused(10, () => signIn(email));
  });

  test("is counted by all processes together", async () => {
    const user = await createUser(the().database.sql);
    const { path, body } = signIn(user.email);
    const services = [the().service, createAuthService(the().deps)];
    const statuses: number[] = [];
    for (let round = 0; round <= 20 && !statuses.includes(429); round += 1) {
      const request = new Request(`https://tournavis.exemple.fr/auth/v1${path}`, {
        method: "POST",
        headers: { apikey: the().deps.secrets.publishableKey },
        body: JSON.stringify(body),
      });
      const answer = await services[round % 2]?.fetch(request);
      statuses.push(answer?.status ?? 0);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  test("is no guessing when the right one comes: nobody is stopped for signing in often", async () => {
    const user = await createUser(the().database.sql);
    for (let round = 0; round < 25; round += 1) {
      const { error } = await the()
        .client()
        .auth.signInWithPassword({ email: user.email, password: PASSWORD });
      expect(error).toBeNull();
    }
  });
});

describe("an address that has had its attempts", () => {
  /** An attempt that is counted as a sign-in, and comes to nothing at little cost. */
  const attempt = {
    path: "/token?grant_type=id_token",
    body: { provider: "google", id_token: "x" },
  };
  const tryOnce = () => the().call(attempt.path, { body: attempt.body });

  /** Has the database say that each of an address's sixteen counts stands at so many, in this window and the next. */
  const setCounts = async (hits: number) => {
    expect((await tryOnce()).status).toBe(400);
    await the().database.sql`
      insert into private.rate_limits (key, window_start, shard, hits, expires_at)
      select r.key, r.window_start + later, place, ${hits}, r.expires_at + later
      from (select * from private.rate_limits where key like 'auth sign_in address %' limit 1) r,
        generate_series(0, 15) place, unnest('{0 minutes,10 minutes}'::interval[]) later
      on conflict (key, window_start, shard) do update set hits = excluded.hits`;
  };
  const PASSKEY = "/passkeys/authentication/options";
  const USED_UP = 100;
  /** 288 of 300. */
  const TWELVE_LEFT = 18;

  const counted = () =>
    the().database.sql`
      select key, window_start, shard, hits from private.rate_limits order by key, window_start, shard`;
  const secondsLeft = async () => {
    const [row] = await the().database.sql<{ seconds: number }[]>`
      select ceil(extract(epoch from min(expires_at) - now()))::integer as seconds
      from private.rate_limits where key like 'auth sign_in address %' and expires_at > now()`;
    return row?.seconds ?? 0;
  };

  test("is refused without another count, whatever it brings, until its window ends", async () => {
    await setCounts(USED_UP);
    const first = await tryOnce();
    expect(first.status).toBe(429);
    const counts = await counted();
    const before = await secondsLeft();
    const again = await tryOnce();
    const after = await secondsLeft();
    expect(again.status).toBe(429);
    expect(again.body).toEqual(first.body);
    const seconds = Number(again.headers.get("retry-after"));
    expect(seconds).toBeLessThanOrEqual(before);
    expect(seconds).toBeGreaterThanOrEqual(after - 1);
    for (const grant of ["password", "id_token"]) {
      const answer = await the().call(`/token?grant_type=${grant}`, { body: "no object" });
      expect(answer.status).toBe(429);
    }
    expect((await the().call(PASSKEY, { body: "no object" })).status).toBe(429);
    expect(await counted()).toEqual(counts);

    // With a database that would allow it, what refuses is the memory; it ends with the window.
    await the().database.sql`delete from private.rate_limits`;
    expect((await tryOnce()).status).toBe(429);
    the().advance(1_000 * seconds);
    expect((await tryOnce()).status).toBe(400);
  });

  test("has had them by passkey as well", async () => {
    await setCounts(TWELVE_LEFT);
    const statuses: number[] = [];
    for (let round = 0; round < 14; round += 1) {
      statuses.push((await the().call(PASSKEY, { body: {} })).status);
    }
    expect(statuses).toEqual([...Array(12).fill(200), 429, 429]);
  });

  test("keeps nobody else out, nor itself from what is counted apart", async () => {
    const user = await createUser(the().database.sql);
    await setCounts(USED_UP);
    const { path, body } = signIn(user.email, PASSWORD);
    expect((await the().call(path, { body })).status).toBe(429);
    expect((await the().call("/recover", { body: { email: user.email } })).status).toBe(200);
    the().comeFrom("198.51.100.7");
    expect((await the().call(path, { body })).status).toBe(200);
  });

  test("spends nothing of an account that it names", async () => {
    const user = await createUser(the().database.sql);
    await setCounts(USED_UP);
    const guess = signIn(user.email);
    for (let round = 0; round < 60; round += 1) {
      expect((await the().call(guess.path, { body: guess.body })).status).toBe(429);
    }
    the().comeFrom("198.51.100.7");
    const { path, body } = signIn(user.email, PASSWORD);
    expect((await the().call(path, { body })).status).toBe(200);
  });

  test("has had them of all processes together, each attempt once", async () => {
    await setCounts(TWELVE_LEFT);
    const { deps } = the();
    const services = [
      the().service,
      createAuthService({ ...deps, refusals: createRefusals(deps.now) }),
    ];
    const statuses: number[] = [];
    for (let round = 0; round < 16; round += 1) {
      const request = new Request(`https://tournavis.exemple.fr/auth/v1${attempt.path}`, {
        method: "POST",
        headers: { apikey: deps.secrets.publishableKey },
        body: JSON.stringify(attempt.body),
      });
      statuses.push((await services[round % 2]?.fetch(request))?.status ?? 0);
    }
    expect(statuses).toEqual([...Array(12).fill(400), ...Array(4).fill(429)]);
  });

  test("is not an account that has had its own: that one may be forgiven meanwhile, by another process", async () => {
    const guess = signIn(`${randomUUID()}@exemple.fr`);
    await callUntilRefused(10, () => guess);
    await the().database.sql`delete from private.rate_limits where key not like '% address %'`;
    expect((await the().call(guess.path, { body: guess.body })).status).toBe(400);
  });
});

describe("sign-ins at once", () => {
  test.each([
    ["sign-in", () => signIn(`${randomUUID()}@exemple.fr`)],
    [
      "sign-up",
      (): Call => ({
        path: "/signup",
        body: { email: `${randomUUID()}@exemple.fr`, password: "trois petits chats" },
      }),
    ],
  ])(
    "are worked on a few at a time; %s beyond that is told when to come again",
    async (_, make) => {
      const calls = Array.from({ length: 25 }, make);
      const answers = await Promise.all(calls.map(({ path, body }) => the().call(path, { body })));
      const refused = answers.filter(({ status }) => status === 429);
      // The sign-ins in work (2) and the waiting share of an address (15) are not refused.
      expect(refused.length).toBeGreaterThanOrEqual(25 - 2 - 15);
      expect(refused.length).toBeLessThan(25);
      for (const { body, headers } of refused) {
        expect(body).toMatchObject({ error_code: "over_request_rate_limit" });
        expect(headers.get("retry-after")).toBe("5");
      }
    },
  );
});

describe("guessing a code", () => {
  test("is stopped after ten; the link still works", async () => {
    const user = await createUser(the().database.sql);
    await the().client().auth.signInWithOtp({ email: user.email });
    const { data } = await the().latest(user.email);
    const answer = await callUntilRefused(10, (round) => ({
      path: "/verify",
      body: {
        type: "magiclink",
        email: user.email,
        token: String((Number(data.code) + round + 1) % 1_000_000).padStart(6, "0"),
      },
    }));
    expect(answer.body).toMatchObject({ error_code: "over_request_rate_limit" });
    const right = await the().call("/verify", {
      body: { type: "magiclink", email: user.email, token: data.code },
    });
    expect(right.status).toBe(429);
    const followed = await the().service.fetch(new Request(data.url ?? ""));
    expect(followed.headers.get("location")).toContain("access_token=");
  });
});

describe("messages", () => {
  test.each([
    ["recovery", (email: string): Call => ({ path: "/recover", body: { email } })],
    ["magic links", (email: string): Call => ({ path: "/otp", body: { email } })],
    [
      "confirmations",
      (email: string): Call => ({ path: "/resend", body: { type: "signup", email } }),
    ],
  ])("of %s do not flood a mailbox, known or not", async (_, call) => {
    const user = await createUser(the().database.sql);
    for (const email of [user.email, `${randomUUID()}@exemple.fr`]) {
      const answer = await callUntilRefused(5, () => call(email));
      expect(answer.body).toMatchObject({ error_code: "over_email_send_rate_limit" });
      expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
      expect((await the().messages(email)).length).toBeLessThanOrEqual(2 * 5);
    }
  });

  test("do not flood a phone", async () => {
    const answer = await callUntilRefused(3, () => ({
      path: "/otp",
      body: { phone: "33612345678" },
    }));
    expect(answer.body).toMatchObject({ error_code: "over_sms_send_rate_limit" });
  });

  test("of every kind together do not flood a mailbox, from wherever they are asked for", async () => {
    const user = await createUser(the().database.sql);
    const { email } = user;
    const kinds: Call[] = [
      { path: "/recover", body: { email } },
      { path: "/otp", body: { email } },
      { path: "/resend", body: { type: "signup", email } },
      { path: "/signup", body: { email, password: "trois petits chats" } },
    ];
    const answer = await callUntilRefused(5, (attempt) => {
      the().comeFrom(`198.51.100.${attempt}`);
      return kinds[attempt % kinds.length] ?? { path: "", body: {} };
    });
    expect(answer.body).toMatchObject({ error_code: "over_email_send_rate_limit" });
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    // The wish of somebody signed in counts by whom the mail would go to, too.
    const stranger = await createUser(the().database.sql);
    the().comeFrom("203.0.113.9");
    const client = the().client();
    await client.auth.signInWithPassword({ email: stranger.email, password: PASSWORD });
    const { error } = await client.auth.updateUser({ email });
    expect(error?.code).toBe("over_email_send_rate_limit");
    expect((await the().messages(email)).length).toBeLessThanOrEqual(2 * 5);
  });

  test("do not flood the world from one address", async () => {
    await callUntilRefused(60, (attempt) => ({
      path: "/recover",
      body: { email: `personne-${attempt}@exemple.fr` },
    }));
  });
});

describe("new accounts", () => {
  test("of one address are few in an hour", async () => {
    const email = `${randomUUID()}@exemple.fr`;
    await callUntilRefused(5, () => ({
      path: "/signup",
      body: { email, password: "trois petits chats" },
    }));
  });

  test("of one network address are counted together, whichever way they are made and however slowly", async () => {
    await callUntilRefused(60, (attempt) => ({
      path: "/otp",
      body: { email: `lien-${attempt}@exemple.fr` },
    }));
    // The quarter of an hour of mails is over, the hour of accounts is not.
    await the().database.sql`delete from private.rate_limits where key not like 'auth sign_up %'`;
    for (const path of ["/otp", "/signup"]) {
      // Each connection may let a few more through.
      const answers: Awaited<ReturnType<Bench["call"]>>[] = [];
      while (answers.length < 40 && answers.at(-1)?.status !== 429) {
        const email = `encore-${answers.length}@exemple.fr`;
        answers.push(await the().call(path, { body: { email, password: "trois petits chats" } }));
      }
      expect([path, answers.at(-1)?.status]).toEqual([path, 429]);
      expect(answers.at(-1)?.headers.get("retry-after")).toMatch(/^\d+$/);
    }
    const known = await createUser(the().database.sql);
    const body = { email: known.email, create_user: false };
    expect((await the().call("/otp", { body })).status).toBe(200);
  });

  test("without a name are few from one address", async () => {
    await callUntilRefused(30, () => ({ path: "/signup", body: {} }));
  });
});

test("the counters hold no address, neither of mails nor of the network", async () => {
  const user = await createUser(the().database.sql);
  await the().client().auth.signInWithPassword({ email: user.email, password: "faux" });
  const rows = await the().database.sql<{ key: string }[]>`select key from private.rate_limits`;
  expect(rows.length).toBeGreaterThanOrEqual(3);
  for (const { key } of rows)
    expect(key).toMatch(/^auth sign_in (pair|account|address) [0-9a-f]{64}$/);
});
