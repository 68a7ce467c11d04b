import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createAuthService } from "../../server/auth/service.ts";
import { createUser, PASSWORD } from "../harness/fixtures.ts";
import { type Bench, startBench } from "./support/service.ts";

/** Brute force and floods: counted in the database, per account and per address. */

let bench: Bench | undefined;
/** Each test starts with nothing counted. */
beforeEach(async () => {
  await bench?.stop();
  bench = await startBench({ settings: { allowsAnonymous: true } });
});
afterAll(() => bench?.stop());

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
      // What works, and the share of an address.
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

  test.each([
    [
      "sign-ups",
      (email: string): Call => ({
        path: "/signup",
        body: { email, password: "trois petits chats" },
      }),
    ],
    ["magic links", (email: string): Call => ({ path: "/otp", body: { email } })],
  ])("by %s are few from one address", async (_, make) => {
    const answer = await callUntilRefused(60, (attempt) => make(`nouveau-${attempt}@exemple.fr`));
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
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
