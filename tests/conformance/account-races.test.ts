import { decodeJwt } from "jose";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createUser } from "../harness/fixtures.ts";
import { addFactor, codeAt, signIn, tokenOf } from "./support/second-factor.ts";
import { type Bench, startBench } from "./support/service.ts";

/**
 * Everything that changes an account locks its rows in one order: user, factors, sessions. Otherwise two such things at
 * once stop each other (40P01), and one fails for no fault of the person.
 */

const ROUNDS = 12;
const STEP_MS = 30_000;

let bench: Bench;
let crowd: postgres.Sql;

beforeAll(async () => {
  bench = await startBench();
  crowd = postgres(bench.database.url, { max: 8, onnotice: () => {} });
});

afterAll(async () => {
  await crowd.end();
  await bench.stop();
});

/** Calls a function of the data API with an access token; answers the SQLSTATE of a failure. */
async function call(token: string, statement: string, parameters: string[]): Promise<string> {
  const claims = JSON.stringify(decodeJwt(token));
  const run = crowd.begin(async (sql) => {
    await sql`select set_config('request.jwt.claim.sub', ${String(decodeJwt(token).sub)}, true),
      set_config('request.jwt.claims', ${claims}, true), set_config('role', 'authenticated', true)`;
    await sql.unsafe(statement, parameters);
  });
  return run.then(
    () => "fine",
    (error: unknown) => (error instanceof postgres.PostgresError ? error.code : String(error)),
  );
}

it("no two changes of one account stop each other", async () => {
  const outcomes: string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    bench.comeFrom(`198.51.100.${round}`);
    const user = await createUser(bench.database.sql);
    const strong = await signIn(bench.client(), user);
    const authenticator = await addFactor(strong, bench.deps.now());
    bench.advance(STEP_MS);
    const [one, two, three] = [
      await signIn(bench.client(), user),
      await signIn(bench.client(), user),
      await signIn(bench.client(), user),
    ];
    const token = await tokenOf(strong);
    const idOf = async (client: typeof one) => String(decodeJwt(await tokenOf(client)).session_id);
    const ids = [await idOf(one), await idOf(two)];
    const verify = (client: typeof one, steps: number) =>
      client.auth.mfa.challengeAndVerify({
        factorId: authenticator.factorId,
        code: codeAt(authenticator, bench.deps.now(), steps),
      });
    await Promise.all([
      verify(one, 0),
      verify(two, 1),
      three.auth.refreshSession(),
      ...ids.map(async (id) => {
        outcomes.push(await call(token, "select public.end_session($1)", [id]));
      }),
      (async () => {
        outcomes.push(await call(token, "select public.create_recovery_codes()", []));
      })(),
      (async () => {
        outcomes.push(
          await call(await tokenOf(three), "select public.use_recovery_code($1)", ["AAAA-BBBB"]),
        );
      })(),
      strong.auth.mfa.unenroll({ factorId: authenticator.factorId }),
      bench.call("/logout?scope=others", { method: "POST", token }),
    ]);
  }
  expect(outcomes.filter((code) => !["fine", "TV010", "TV011"].includes(code))).toEqual([]);
  expect(bench.log).toEqual([]);
});
