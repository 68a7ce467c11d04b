import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hashAtOnce } from "../../server/auth/passwords.ts";
import { identifierOf, register } from "../../server/auth/routes/sign-up.ts";
import { createUser, PASSWORD, type User } from "../harness/fixtures.ts";
import { type Bench, startBench } from "./support/service.ts";

/** Nobody learns from an answer, its headers or its time whether an address has an account. */

const ROUNDS = 40;

/** Times of calls about somebody who has an account, and about somebody who has none, in milliseconds. */
type Times = { known: number[]; unknown: number[] };

let bench: Bench;
/**
 * As many accounts as rounds of both stages of a measurement, since each has limits of its own, with passwords hashed as
 * real ones are; and one more.
 */
let users: User[];

beforeAll(async () => {
  bench = await startBench();
  const hash = await hashAtOnce(PASSWORD);
  users = await Promise.all(
    Array.from({ length: 2 * ROUNDS + 1 }, () => createUser(bench.database.sql)),
  );
  await bench.database.sql`update auth.users set encrypted_password = ${hash}`;
});
afterAll(() => bench.stop());

// The mails of one recipient are counted together, whichever call asks for them: each test begins with none.
beforeEach(async () => {
  await bench.database.sql`delete from private.rate_limits`;
});

const stranger = () => `utilisateur-${randomUUID().slice(0, 8)}@exemple.fr`;

const CALLS: readonly [string, (email: string) => { path: string; body: unknown }][] = [
  [
    "signing in",
    (email) => ({
      path: "/token?grant_type=password",
      body: { email, password: "faux mot de passe" },
    }),
  ],
  [
    "signing up",
    (email) => ({
      path: "/signup",
      body: { email, password: "trois petits chats", data: { full_name: "Camille" } },
    }),
  ],
  ["a forgotten password", (email) => ({ path: "/recover", body: { email } })],
  ["a magic link", (email) => ({ path: "/otp", body: { email } })],
  ["a code without sign-up", (email) => ({ path: "/otp", body: { email, create_user: false } })],
  ["another confirmation", (email) => ({ path: "/resend", body: { type: "signup", email } })],
  [
    "another change of address",
    (email) => ({ path: "/resend", body: { type: "email_change", email } }),
  ],
  [
    "typing a code",
    (email) => ({ path: "/verify", body: { type: "recovery", email, token: "123456" } }),
  ],
];

/** An answer with what belongs to this call alone taken out. */
function likeness(
  email: string,
  { status, headers, text }: Awaited<ReturnType<Bench["call"]>>,
): unknown {
  const kept = [...headers].filter(([name]) => name !== "date").sort();
  return {
    status,
    headers: kept,
    text: text
      .replaceAll(email, "ADRESSE")
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TEMPS"),
  };
}

describe.each(CALLS)("%s", (_, call) => {
  test("is answered in the same words", async () => {
    const [known] = users.slice(-1);
    const answers = [];
    for (const email of [known?.email ?? "", stranger()]) {
      const { path, body } = call(email);
      answers.push(likeness(email, await bench.call(path, { body })));
      await bench.settle();
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  test("takes the same time", async () => {
    await expectSameTime(async (accounts) => {
      const times: Times = { known: [], unknown: [] };
      for (const [round, account] of accounts.entries()) {
        // Limits count addresses, too.
        bench.comeFrom(`198.51.100.${users.indexOf(account)}`);
        const pair = [
          ["known", account.email],
          ["unknown", stranger()],
        ] as const;
        for (const [kind, email] of round % 2 === 0 ? pair : pair.toReversed()) {
          const { path, body } = call(email);
          const start = performance.now();
          const { status } = await bench.call(path, { body });
          times[kind].push(performance.now() - start);
          expect(status).not.toBe(429);
          await bench.settle();
        }
      }
      return times;
    });
  });
});

test.each(CALLS.filter(([name]) => !/^sign|^typing/.test(name)))(
  "%s is answered before anybody looks whether there is an account",
  async (_, call) => {
    const [known] = users.slice(-1);
    const { path, body } = call(known?.email ?? "");
    bench.comeFrom("203.0.113.9");
    // A look-up would wait for the end of this transaction, and the transaction for the answer.
    await bench.database.sql.begin(async (sql) => {
      await sql`lock table auth.users in access exclusive mode`;
      expect((await bench.call(path, { body })).status).toBe(200);
    });
    await bench.settle();
    expect(bench.log).toEqual([]);
  },
);

test("the work behind a sign-up is the same, the hashing of the password aside", async () => {
  const write = async (times: number[], email: string) => {
    const contact = { kind: "email", value: email } as const;
    const message = { target: bench.settings.siteUrl, challenge: null };
    const start = performance.now();
    await bench.deps.sql.begin((sql) =>
      register(sql, bench.deps, {
        contact,
        id: identifierOf(bench.deps, contact),
        passwordHash: null,
        data: {},
        message,
      }),
    );
    times.push(performance.now() - start);
  };
  await expectSameTime(async (accounts) => {
    const times: Times = { known: [], unknown: [] };
    for (const [round, { email }] of accounts.entries()) {
      if (round % 2 === 0) await write(times.known, email);
      await write(times.unknown, stranger());
      if (round % 2 === 1) await write(times.known, email);
    }
    return times;
  });
});

/**
 * In two stages, as nobody knows what else a machine does meanwhile: it fails when a first measurement and a second one, taken
 * only then, both find a difference. What tells something by its time does so in both. (This is the plan of the test,
 * fixed beforehand; no test is run again.)
 */
async function expectSameTime(measure: (accounts: User[]) => Promise<Times>): Promise<void> {
  const isSame = async (stage: number) => {
    const { known, unknown } = await measure(users.slice(stage * ROUNDS, (stage + 1) * ROUNDS));
    return isClose(fastest(known), fastest(unknown));
  };
  expect((await isSame(0)) || (await isSame(1))).toBe(true);
}

/** Generous to a busy machine, and far from what a password's check or a row less would make. */
function isClose(left: number, right: number): boolean {
  return Math.abs(left - right) < 1 + 0.35 * Math.max(left, right);
}

/**
 * Duration that a tenth of the calls stay below: a busy machine only ever adds, and an attacker who
 * measures knows that too.
 */
function fastest(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0;
}

test("an account signed up for again is neither revealed nor changed", async () => {
  const user = await createUser(bench.database.sql);
  const read = () => bench.database.sql`
    select u.*, (select count(*)::int from auth.one_time_tokens t where t.user_id = u.id) as tokens
    from auth.users u where id = ${user.id}`;
  const before = await read();
  const first = await bench.client().auth.signUp({
    email: user.email.toUpperCase(),
    password: "le mot de passe du voleur",
    options: { data: { full_name: "Voleur" } },
  });
  const second = await bench
    .client()
    .auth.signUp({ email: user.email, password: "le mot de passe du voleur" });
  expect(first.error).toBeNull();
  expect(first.data.user?.id).not.toBe(user.id);
  expect(second.data.user?.id).toBe(first.data.user?.id);
  expect(first.data.user?.identities).toHaveLength(1);
  expect(await read()).toEqual(before);
  expect(await bench.messages(user.email)).toEqual([]);
  const [{ count } = { count: -1 }] = await bench.database.sql<{ count: number }[]>`
    select count(*)::int as count from auth.users where email like '%nobody.invalid'`;
  expect(count).toBe(0);
});
