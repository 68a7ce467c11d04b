import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUser, PASSWORD } from "../harness/fixtures.ts";
import { type Bench, startBench } from "./support/service.ts";

/** The password that is replaced, where a page asks for it. */

const NEXT = "une phrase bien à moi";

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.stop());

async function signIn() {
  const user = await createUser(bench.database.sql);
  const { auth } = bench.client();
  const { error } = await auth.signInWithPassword({ email: user.email, password: PASSWORD });
  if (error !== null) throw error;
  const hash = async () => {
    const [row] = await bench.database.sql<{ hash: string }[]>`
      select encrypted_password as hash from auth.users where id = ${user.id}`;
    return row?.hash;
  };
  return { auth, hash };
}

describe("the current password", () => {
  test("that is wrong refuses the new one, which changes nothing", async () => {
    const { auth, hash } = await signIn();
    const before = await hash();
    const { error } = await auth.updateUser({ password: NEXT, current_password: "pas-le-bon" });
    expect(error).toMatchObject({ status: 400, code: "current_password_invalid" });
    expect(await hash()).toBe(before);
  });

  test("that is right lets it pass", async () => {
    const { auth, hash } = await signIn();
    const before = await hash();
    const { error } = await auth.updateUser({ password: NEXT, current_password: PASSWORD });
    expect(error).toBeNull();
    expect(await hash()).not.toBe(before);
  });

  test("cannot be guessed for long", async () => {
    const { auth, hash } = await signIn();
    const before = await hash();
    const codes: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const guess = { password: NEXT, current_password: `essai-${attempt}` };
      codes.push((await auth.updateUser(guess)).error?.code);
    }
    expect(new Set(codes.slice(0, 10))).toEqual(new Set(["current_password_invalid"]));
    expect(codes[10]).toBe("over_request_rate_limit");
    expect(await hash()).toBe(before);
  });
});
