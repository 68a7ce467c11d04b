import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { secondsFromNow } from "../harness/clock.ts";
import { createUser, PASSWORD, type User } from "../harness/fixtures.ts";
import { openPage, type Page } from "./support/browser.ts";
import { codeAt } from "./support/second-factor.ts";
import { type Bench, startBench } from "./support/service.ts";

/** The state machine of the specification, section 4.1, row by row, in the official client. */

const SITE = "https://tournavis.exemple.fr";

let bench: Bench;
let user: User;
beforeAll(async () => {
  bench = await startBench();
});
beforeEach(async () => {
  // The client tells the console of every failure, and of a second client on one storage.
  for (const way of ["error", "warn"] as const) vi.spyOn(console, way).mockReturnValue();
  user = await createUser(bench.database.sql);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
afterAll(() => bench.stop());

async function signIn(page: Page) {
  const { data, error } = await page.auth.signInWithPassword({
    email: user.email,
    password: PASSWORD,
  });
  if (error !== null) throw error;
  return data.session;
}

/** The address to which the newest mail's link leads. */
async function followNewestLink(): Promise<string> {
  const { data } = await bench.latest(user.email);
  const response = await bench.service.fetch(new Request(data.url ?? ""));
  return response.headers.get("location") ?? "";
}

const hasHeard = (page: Page, event: Page["events"][number]) =>
  expect.poll(() => page.events, { interval: 5 }).toContain(event);

describe("events", () => {
  test("INITIAL_SESSION comes first, once, without a session", async () => {
    const page = openPage(bench);
    await hasHeard(page, "INITIAL_SESSION");
    expect(page.events).toEqual(["INITIAL_SESSION"]);
    expect((await page.auth.getSession()).data.session).toBeNull();
  });

  test("SIGNED_IN, TOKEN_REFRESHED, USER_UPDATED, SIGNED_OUT follow what is done", async () => {
    const page = openPage(bench);
    await hasHeard(page, "INITIAL_SESSION");
    await signIn(page);
    await page.auth.refreshSession();
    await page.auth.updateUser({ data: { langue: "fr" } });
    await page.auth.signOut();
    expect(page.events).toEqual([
      "INITIAL_SESSION",
      "SIGNED_IN",
      "TOKEN_REFRESHED",
      "USER_UPDATED",
      "SIGNED_OUT",
    ]);
    expect(page.storage.has(page.key)).toBe(false);
  });

  test("a page opened later reads the stored session once", async () => {
    const first = openPage(bench);
    const session = await signIn(first);
    const later = openPage(bench, { previous: first });
    await hasHeard(later, "INITIAL_SESSION");
    const { data } = await later.auth.getSession();
    expect(data.session?.access_token).toBe(session.access_token);
  });

  test("PASSWORD_RECOVERY comes from the link of a forgotten password: implicit", async () => {
    await openPage(bench).auth.resetPasswordForEmail(user.email);
    const page = openPage(bench, { url: await followNewestLink() });
    expect((await page.opened).error).toBeNull();
    await hasHeard(page, "PASSWORD_RECOVERY");
    expect((await page.auth.getUser()).data.user?.id).toBe(user.id);
  });

  test("PASSWORD_RECOVERY comes from the link of a forgotten password: PKCE", async () => {
    const asking = openPage(bench, { flowType: "pkce" });
    await asking.auth.resetPasswordForEmail(user.email);
    const url = await followNewestLink();
    const page = openPage(bench, { url, flowType: "pkce", previous: asking });
    expect((await page.opened).error).toBeNull();
    await hasHeard(page, "PASSWORD_RECOVERY");
    expect((await page.auth.getUser()).data.user?.id).toBe(user.id);
  });

  test("MFA_CHALLENGE_VERIFIED comes with the second factor, and aal2", async () => {
    const page = openPage(bench);
    await signIn(page);
    const enrolled = await page.auth.mfa.enroll({ factorType: "totp", friendlyName: "" });
    if (enrolled.error) throw enrolled.error;
    const verified = await page.auth.mfa.challengeAndVerify({
      factorId: enrolled.data.id,
      code: codeAt({ secret: enrolled.data.totp.secret }, bench.deps.now()),
    });
    expect(verified.error).toBeNull();
    expect(page.events).toContain("MFA_CHALLENGE_VERIFIED");
    const level = await page.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: "aal2", nextLevel: "aal2" });
    await page.auth.refreshSession();
    const kept = await page.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(kept.data?.currentLevel).toBe("aal2");
  });
});

describe("a stored session", () => {
  test.each(["access_token", "refresh_token", "expires_at"])(
    "without %s is none, and goes",
    async (field) => {
      const first = openPage(bench);
      const rest = Object.entries(await signIn(first)).filter(([name]) => name !== field);
      first.storage.set(first.key, JSON.stringify(Object.fromEntries(rest)));
      const later = openPage(bench, { previous: first });
      await later.opened;
      expect((await later.auth.getSession()).data.session).toBeNull();
      expect(later.storage.has(later.key)).toBe(false);
    },
  );

  test("close to its end is refreshed when it is asked for", async () => {
    const first = openPage(bench);
    const session = await signIn(first);
    const soon = { ...session, expires_at: Math.floor(secondsFromNow(30).getTime() / 1000) };
    first.storage.set(first.key, JSON.stringify(soon));
    const later = openPage(bench, { previous: first });
    const { data, error } = await later.auth.getSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(session.refresh_token);
    expect(later.events).toContain("TOKEN_REFRESHED");
  });

  test("whose refresh is refused for good goes once its access token has ended", async () => {
    const first = openPage(bench);
    const session = await signIn(first);
    await bench.database.sql`delete from auth.sessions where user_id = ${user.id}`;
    const { error } = await first.auth.refreshSession();
    expect(error?.code).toBe("refresh_token_not_found");
    expect(first.storage.has(first.key)).toBe(true);

    const ended = { ...session, expires_at: Math.floor(secondsFromNow(-1).getTime() / 1000) };
    first.storage.set(first.key, JSON.stringify(ended));
    const later = openPage(bench, { previous: first });
    expect((await later.auth.getSession()).data.session).toBeNull();
    expect(later.events).toContain("SIGNED_OUT");
    expect(later.storage.has(later.key)).toBe(false);
  });

  test("survives a network that fails for a while: 200 ms, then twice as long each time", async () => {
    const times: number[] = [];
    const page = openPage(bench, {
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (request.url.includes("grant_type=refresh_token")) {
          times.push(performance.now());
          if (times.length <= 3) throw new TypeError("fetch failed");
        }
        return bench.service.fetch(request);
      },
    });
    await signIn(page);
    const { error } = await page.auth.refreshSession();
    expect(error).toBeNull();
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses).toHaveLength(3);
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(200 * 2 ** index - 5);
    }
  });

  test("set by hand needs both tokens", async () => {
    const page = openPage(bench);
    const { error } = await page.auth.setSession({ access_token: "", refresh_token: "x" });
    expect(error?.name).toBe("AuthSessionMissingError");
  });
});

describe("an address with an error or half a session", () => {
  test("tells an expired link by its code, and keeps who is signed in", async () => {
    const first = openPage(bench);
    const session = await signIn(first);
    await first.auth.resetPasswordForEmail(user.email);
    const { data } = await bench.latest(user.email);
    bench.advance(61 * 60_000);
    const response = await bench.service.fetch(new Request(data.url ?? ""));
    bench.advance(-61 * 60_000);
    const url = response.headers.get("location") ?? "";
    const page = openPage(bench, { url, previous: first });
    const { error } = await page.opened;
    expect(error).toMatchObject({
      message: "Email link is invalid or has expired",
      details: { error: "access_denied", code: "otp_expired" },
    });
    const kept = await page.auth.getSession();
    expect(kept.data.session?.access_token).toBe(session.access_token);
  });

  test.each([
    ["implicit", "#access_token=a&type=signup", "No session defined in URL"],
    ["pkce", "#access_token=a&type=signup", "Not a valid PKCE flow url."],
    ["implicit", "?code=abc", "Not a valid implicit grant flow url."],
  ] as const)("in the %s flow: %s", async (flowType, end, message) => {
    const previous = openPage(bench);
    previous.storage.set(`${previous.key}-code-verifier`, JSON.stringify("x".repeat(56)));
    const page = openPage(bench, { url: `${SITE}/auth${end}`, flowType, previous });
    expect((await page.opened).error?.message).toBe(message);
  });

  test("a code that nobody gave is refused by the service", async () => {
    const previous = openPage(bench, { flowType: "pkce" });
    previous.storage.set(`${previous.key}-code-verifier`, JSON.stringify("x".repeat(56)));
    const page = openPage(bench, { url: `${SITE}/auth?code=abc`, flowType: "pkce", previous });
    expect((await page.opened).error).toMatchObject({ code: "flow_state_not_found" });
  });
});

test("calls without what they need never leave the client, or are refused in its words", async () => {
  const { auth } = openPage(bench);
  const words = "You must provide either an email or phone number and a password";
  // @ts-expect-error Neither an e-mail nor a phone.
  expect((await auth.signUp({ password: PASSWORD })).error?.message).toBe(words);
  // @ts-expect-error Neither an e-mail nor a phone.
  expect((await auth.signInWithPassword({ password: PASSWORD })).error?.message).toBe(words);
  // @ts-expect-error Neither an e-mail nor a phone.
  expect((await auth.signInWithOtp({})).error?.message).toBe(
    "You must provide either an email or phone number.",
  );
});
