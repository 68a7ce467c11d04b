import { createHash, randomUUID } from "node:crypto";
import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createUser, PASSWORD } from "../harness/fixtures.ts";
import {
  type OpenIdProvider,
  type Person,
  startOpenIdProvider,
} from "./support/openid-provider.ts";
import { addFactor, signIn, tokenOf } from "./support/second-factor.ts";
import { type Bench, startBench } from "./support/service.ts";

/** Signing in with Google, against a real OpenID provider that stands in for it. */

const SITE = "https://tournavis.exemple.fr";
const DASHBOARD = `${SITE}/dashboard`;
const OURS = {
  clientId: "tournavis",
  clientSecret: "un-secret-entre-nous-et-le-fournisseur",
  redirectUri: `${SITE}/auth/v1/callback`,
};
const OTHERS = {
  clientId: "une-autre-application",
  clientSecret: "un-secret-qui-ne-nous-regarde-pas",
  redirectUri: "https://autre.exemple.fr/callback",
};

let provider: OpenIdProvider;
let bench: Bench;
let next = 0;

beforeAll(async () => {
  provider = await startOpenIdProvider([OURS, OTHERS]);
  const { clientId, clientSecret } = OURS;
  bench = await startBench({
    settings: { google: { clientId, clientSecret, issuer: provider.issuer } },
  });
});

afterAll(async () => {
  await bench.stop();
  await provider.stop();
});

beforeEach(() => {
  next += 1;
  bench.comeFrom(`198.51.100.${next}`);
});

function newPerson(facts: Partial<Person> = {}): Person {
  const subject = randomUUID();
  return { subject, email: `${subject}@exemple.fr`, name: "Nadia Roy", ...facts };
}

type Client = ReturnType<Bench["client"]>;

/** The address at the provider to which our service sends a browser. */
async function follow(url: string | null | undefined): Promise<string> {
  const answer = await bench.service.fetch(new Request(url ?? "", { redirect: "manual" }));
  expect(answer.status).toBe(302);
  return answer.headers.get("location") ?? "";
}

async function begin(client: Client, redirectTo = DASHBOARD): Promise<string> {
  const { data, error } = await client.auth.signInWithOAuth({
    provider: "google",
    options: { redirectTo, skipBrowserRedirect: true },
  });
  expect(error).toBeNull();
  return follow(data.url);
}

/** Where our service sends a browser, with the cookies that it has, that the provider sent back. */
async function comeBack(
  address: URL,
  cookie = "",
): Promise<{ status: number; to: URL; fragment: URLSearchParams }> {
  const headers = { cookie };
  const answer = await bench.service.fetch(new Request(address, { redirect: "manual", headers }));
  const to = new URL(answer.headers.get("location") ?? "");
  return { status: answer.status, to, fragment: new URLSearchParams(to.hash.slice(1)) };
}

/** Everything up to the code in the page's address. */
async function signInAsFarAsCode(client: Client, person: Person): Promise<URL> {
  const back = await provider.visit(await begin(client), person);
  return (await comeBack(back)).to;
}

async function signInWithGoogle(client: Client, person: Person) {
  const to = await signInAsFarAsCode(client, person);
  const code = to.searchParams.get("code") ?? "";
  const { data, error } = await client.auth.exchangeCodeForSession(code);
  if (error) throw error;
  return data;
}

async function accounts(email: string) {
  return bench.database.sql<
    { id: string; confirmed: boolean; has_password: boolean; providers: string[] | null }[]
  >`
    select u.id, u.email_confirmed_at is not null as confirmed,
      u.encrypted_password is not null as has_password,
      (select array_agg(i.provider order by i.provider) from auth.identities i where i.user_id = u.id)
        as providers
    from auth.users u where u.email = ${email}`;
}

async function howMany(): Promise<string> {
  const [row] = await bench.database.sql<{ count: string }[]>`
    select (select count(*) from auth.users) || ' users, '
      || (select count(*) from auth.identities) || ' identities, '
      || (select count(*) from auth.sessions) || ' sessions' as count`;
  return row?.count ?? "";
}

describe("signInWithOAuth", () => {
  it("leads to the provider with everything that ties its answer to this sign-in", async () => {
    const client = bench.client("pkce");
    const { data } = await client.auth.signInWithOAuth({
      provider: "google",
      options: {
        redirectTo: DASHBOARD,
        skipBrowserRedirect: true,
        scopes: "https://www.googleapis.com/auth/business.manage",
        queryParams: { prompt: "select_account", redirect_uri: "https://mal.exemple", state: "x" },
      },
    });
    const address = new URL(await follow(data.url));
    expect(address.origin).toBe(provider.issuer);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: OURS.clientId,
      redirect_uri: OURS.redirectUri,
      response_type: "code",
      scope: "openid email profile https://www.googleapis.com/auth/business.manage",
      prompt: "select_account",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });

  it("makes an account of a confirmed address and signs in (PKCE)", async () => {
    const person = newPerson({ picture: "https://photos.exemple.fr/nadia.jpg" });
    const client = bench.client("pkce");
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    const { session, user } = await signInWithGoogle(client, person);
    expect(events).toContain("SIGNED_IN");
    expect(session.provider_token).toEqual(expect.any(String));
    expect(user).toMatchObject({
      email: person.email,
      app_metadata: { provider: "google", providers: ["google"] },
      user_metadata: {
        full_name: "Nadia Roy",
        avatar_url: person.picture,
        email: person.email,
        email_verified: true,
        sub: person.subject,
      },
      identities: [{ provider: "google", id: person.subject, email: person.email }],
    });
    expect(user.email_confirmed_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(decodeJwt(session.access_token)).toMatchObject({
      aal: "aal1",
      amr: [{ method: "oauth", timestamp: expect.any(Number) }],
    });
  });

  it("keeps the provider's token where a copy of the database does not show it", async () => {
    const client = bench.client("pkce");
    const to = await signInAsFarAsCode(client, newPerson());
    const [kept] = await bench.database.sql<{ id: string; sealed: string }[]>`
      select id, provider_access_token as sealed from auth.flow_state
      where auth_code is not null order by created_at desc limit 1`;
    const code = to.searchParams.get("code") ?? "";
    const { data } = await client.auth.exchangeCodeForSession(code);
    const token = data.session?.provider_token ?? "";
    expect(token).not.toBe("");
    expect(Buffer.from(kept?.sealed ?? "", "base64").toString("latin1")).not.toContain(token);
    expect(kept?.sealed).not.toContain(token);
    const left = await bench.database.sql`select from auth.flow_state where id = ${kept?.id ?? ""}`;
    expect(left).toHaveLength(0);
  });

  it("signs in by the address's fragment (implicit)", async () => {
    const person = newPerson();
    const client = bench.client("implicit");
    const { status, to, fragment } = await comeBack(
      await provider.visit(await begin(client), person),
    );
    expect(status).toBe(302);
    expect(to.href.split("#")[0]).toBe(DASHBOARD);
    expect(fragment.get("provider_token")).toMatch(/^[\w-]{20,}$/);
    const { data, error } = await client.auth.setSession({
      access_token: fragment.get("access_token") ?? "",
      refresh_token: fragment.get("refresh_token") ?? "",
    });
    expect(error).toBeNull();
    expect(data.user?.email).toBe(person.email);
  });

  it("finds the same account again, whatever address the person has by then", async () => {
    const person = newPerson();
    const first = await signInWithGoogle(bench.client("pkce"), person);
    const moved = { ...person, email: `autre-${person.email}`, name: "Nadia Roy-Petit" };
    const second = await signInWithGoogle(bench.client("pkce"), moved);
    expect(second.user.id).toBe(first.user.id);
    expect(second.user.email).toBe(person.email);
    expect(second.user.user_metadata.full_name).toBe("Nadia Roy-Petit");
  });

  it("makes one account of two first sign-ins at once", async () => {
    const person = newPerson();
    const clients = [bench.client("pkce"), bench.client("pkce")];
    const backs: URL[] = [];
    for (const client of clients) backs.push(await provider.visit(await begin(client), person));
    const ends = await Promise.all(backs.map((address) => comeBack(address)));
    expect(ends.map(({ to }) => to.searchParams.has("code"))).toEqual([true, true]);
    expect(await accounts(person.email ?? "")).toMatchObject([{ providers: ["google"] }]);
  });

  it("comes back with the provider's own refusal when the person declines", async () => {
    const before = await howMany();
    const back = await provider.visit(await begin(bench.client("pkce")), newPerson(), {
      declines: true,
    });
    const { to, fragment } = await comeBack(back);
    expect(to.href.split("?")[0]).toBe(DASHBOARD);
    expect(to.searchParams.get("error")).toBe("access_denied");
    expect(fragment.get("error")).toBe("access_denied");
    expect(await howMany()).toBe(before);
  });

  it("answers as the platform does when a provider is not switched on, or not known", async () => {
    const ask = (name: string) => bench.call(`/authorize?provider=${name}`);
    for (const name of ["github", "apple"]) {
      const { status, body } = await ask(name);
      expect(status).toBe(400);
      expect(body).toEqual({
        code: 400,
        error_code: "validation_failed",
        msg: "Unsupported provider: provider is not enabled",
      });
    }
    expect((await ask("personne")).body).toMatchObject({
      msg: "Unsupported provider: Provider personne could not be found",
    });
    const { google } = bench.settings;
    bench.settings.google = null;
    try {
      expect((await ask("google")).body).toMatchObject({
        msg: "Unsupported provider: provider is not enabled",
      });
    } finally {
      bench.settings.google = google;
    }
  });
});

it("what /authorize refuses leads a browser back to the page that it wanted, and nowhere else", async () => {
  const { google } = bench.settings;
  bench.settings.google = null;
  try {
    for (const [asked, target] of [
      [`${SITE}/encaisser?a=b`, `${SITE}/encaisser?a=b&`],
      ["https://mal.exemple/", `${SITE}/?`],
    ] as const) {
      const address = new URL("/auth/v1/authorize", SITE);
      address.search = new URLSearchParams({ provider: "google", redirect_to: asked }).toString();
      const answer = await bench.service.fetch(
        new Request(address, { redirect: "manual", headers: { accept: "text/html,*/*;q=0.8" } }),
      );
      expect(answer.status).toBe(302);
      const to = new URL(answer.headers.get("location") ?? "");
      expect(to.href.startsWith(target)).toBe(true);
      expect(Object.fromEntries(to.searchParams)).toMatchObject({
        error: "invalid_request",
        error_code: "validation_failed",
        error_description: "Unsupported provider: provider is not enabled",
      });
    }
  } finally {
    bench.settings.google = google;
  }
});

describe("an account of the same address", () => {
  it("gets the identity when its address was confirmed here", async () => {
    const user = await createUser(bench.database.sql);
    const { user: signedIn } = await signInWithGoogle(
      bench.client("pkce"),
      newPerson({ email: user.email.toUpperCase() }),
    );
    expect(signedIn.id).toBe(user.id);
    expect(await accounts(user.email)).toMatchObject([
      { has_password: true, providers: ["email", "google"] },
    ]);
  });

  it("gets one of its address with the first password that its person chooses", async () => {
    const client = bench.client("pkce");
    const { user } = await signInWithGoogle(client, newPerson());
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toBeNull();
    const { data } = await client.auth.getUserIdentities();
    expect(data?.identities.find(({ provider }) => provider === "email")).toMatchObject({
      identity_data: { sub: user.id, email: user.email, email_verified: true },
    });
  });

  it("loses its password and everything else of whoever made it without confirming", async () => {
    const { sql } = bench.database;
    const owner = newPerson();
    const email = owner.email ?? "";
    const squatter = bench.client();
    await squatter.auth.signUp({
      email,
      password: PASSWORD,
      options: { data: { full_name: "Intrus", plan: "pro" } },
    });
    await bench.settle();
    const [planted] = await accounts(email);
    const link = (await bench.latest(email)).data.url ?? "";
    const { user } = await signInWithGoogle(bench.client("pkce"), owner);
    expect(user.id).toBe(planted?.id);
    expect(await accounts(email)).toMatchObject([
      { confirmed: true, has_password: false, providers: ["google"] },
    ]);
    expect(user.user_metadata).toMatchObject({ full_name: "Nadia Roy" });
    expect(user.user_metadata).not.toHaveProperty("plan");
    const { error } = await squatter.auth.signInWithPassword({ email, password: PASSWORD });
    expect(error?.code).toBe("invalid_credentials");
    const tokens = await sql`select from auth.one_time_tokens where user_id = ${user.id}`;
    expect(tokens).toHaveLength(0);
    const followed = await bench.service.fetch(new Request(link, { redirect: "manual" }));
    expect(followed.headers.get("location")).not.toContain("access_token");
  });

  it("loses them also where a program has followed the mail of that sign-up", async () => {
    const owner = newPerson();
    const email = owner.email ?? "";
    await bench.client().auth.signUp({ email, password: PASSWORD });
    await bench.service.fetch(new Request((await bench.latest(email)).data.url ?? ""));
    const thief = await signIn(bench.client(), { email });
    await signInWithGoogle(bench.client("pkce"), owner);
    expect(await accounts(email)).toMatchObject([{ has_password: false, providers: ["google"] }]);
    expect((await thief.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  });

  it("is not joined where it changed to that address: its holder may be somebody else", async () => {
    const owner = newPerson();
    const holder = await createUser(bench.database.sql);
    await bench.database
      .sql`update auth.users set email = ${owner.email ?? null} where id = ${holder.id}`;
    const before = await howMany();
    const back = await signInAsFarAsCode(bench.client("pkce"), owner);
    expect(back.searchParams.get("error_code")).toBe("email_exists");
    expect(await howMany()).toBe(before);
  });

  it("is not reached by an address that the provider has not verified", async () => {
    const user = await createUser(bench.database.sql);
    const before = await howMany();
    for (const email of [user.email, `nouveau-${randomUUID()}@exemple.fr`]) {
      const person = newPerson({ email, emailVerified: false });
      const back = await provider.visit(await begin(bench.client("pkce")), person);
      const { to } = await comeBack(back);
      expect(Object.fromEntries(to.searchParams)).toMatchObject({
        error: "access_denied",
        error_code: "provider_email_needs_verification",
      });
    }
    expect(await howMany()).toBe(before);
  });

  it("keeps its second factor: Google is one proof", async () => {
    const user = await createUser(bench.database.sql);
    await addFactor(await signIn(bench.client(), user), bench.deps.now());
    const client = bench.client("pkce");
    await signInWithGoogle(client, newPerson({ email: user.email }));
    const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
  });
});

describe("a code or a state that is used wrongly", () => {
  it("is worth nothing the second time: the code for the page", async () => {
    const client = bench.client("pkce");
    const to = await signInAsFarAsCode(client, newPerson());
    const code = to.searchParams.get("code") ?? "";
    const thief = await bench.call("/token?grant_type=pkce", {
      body: { auth_code: code, code_verifier: "deviné".repeat(10) },
    });
    expect([thief.status, thief.body]).toMatchObject([400, { error_code: "bad_code_verifier" }]);
    expect((await client.auth.exchangeCodeForSession(code)).error).toBeNull();
    const again = await bench.call("/token?grant_type=pkce", {
      body: { auth_code: code, code_verifier: "deviné".repeat(10) },
    });
    expect([again.status, again.body]).toMatchObject([404, { error_code: "flow_state_not_found" }]);
  });

  it("is worth nothing the second time: the provider's answer, in turn and at once", async () => {
    for (const flow of ["pkce", "implicit"] as const) {
      const back = await provider.visit(await begin(bench.client(flow)), newPerson());
      const ends = await Promise.all([comeBack(back), comeBack(back)]);
      const lucky = ends.filter(
        ({ to, fragment }) => to.searchParams.has("code") || fragment.has("access_token"),
      );
      expect(lucky).toHaveLength(1);
      const before = await howMany();
      const replay = await comeBack(back);
      expect(replay.status).toBe(303);
      expect(replay.to.origin).toBe(SITE);
      expect(replay.to.searchParams.get("error_code")).toBe("bad_oauth_state");
      expect(await howMany()).toBe(before);
    }
  });

  it("is worth nothing with another's state, a made-up one, none, or after ten minutes", async () => {
    const mine = await provider.visit(await begin(bench.client("pkce")), newPerson());
    const other = await provider.visit(await begin(bench.client("pkce")), newPerson());
    const before = await howMany();
    const crossed = new URL(mine);
    crossed.searchParams.set("state", other.searchParams.get("state") ?? "");
    expect((await comeBack(crossed)).to.searchParams.get("error")).toBe("server_error");
    for (const [state, code] of [
      [randomUUID(), "bad_oauth_state"],
      ["a".repeat(43), "bad_oauth_state"],
      ["'; drop table auth.users", "bad_oauth_state"],
      ["", "bad_oauth_callback"],
    ] as const) {
      const forged = new URL(mine);
      forged.searchParams.set("state", state);
      const { status, to } = await comeBack(forged);
      expect([status, to.origin, to.searchParams.get("error_code")]).toEqual([303, SITE, code]);
    }
    bench.advance(11 * 60_000);
    const { to } = await comeBack(mine);
    bench.advance(-11 * 60_000);
    expect(to.searchParams.get("error_code")).toBe("bad_oauth_state");
    expect(await howMany()).toBe(before);
  });

  it("is worth nothing where the provider leaves out who the person is", async () => {
    const { clientId, clientSecret } = OURS;
    const silent = await startBench({
      database: bench.database,
      settings: { google: { clientId, clientSecret, issuer: provider.issuer } },
      fetch: async (input, init) => {
        const answer = await fetch(input, init);
        if (!String(input).endsWith("/token")) return answer;
        const { id_token: _, ...rest } = await answer.json();
        return Response.json(rest);
      },
    });
    const before = await howMany();
    const { data } = await silent.client().auth.signInWithOAuth({
      provider: "google",
      options: { redirectTo: DASHBOARD, skipBrowserRedirect: true },
    });
    const go = (url: string | URL) =>
      silent.service.fetch(new Request(url, { redirect: "manual" }));
    const there = (await go(data.url ?? "")).headers.get("location") ?? "";
    const answer = await go(await provider.visit(there, newPerson()));
    const to = new URL(answer.headers.get("location") ?? "");
    expect(new URLSearchParams(to.hash.slice(1)).get("error_description")).toBe(
      "Unable to exchange external code",
    );
    expect(await howMany()).toBe(before);
    await silent.stop();
  });

  it("comes back by a form as well", async () => {
    const back = await provider.visit(await begin(bench.client("pkce")), newPerson());
    const answer = await bench.service.fetch(
      new Request(OURS.redirectUri, { method: "POST", body: back.searchParams }),
    );
    expect(new URL(answer.headers.get("location") ?? "").searchParams.has("code")).toBe(true);
  });
});

describe("a sign-in leads to our own pages only", () => {
  it.each([
    "https://mal.exemple/dashboard",
    "//mal.exemple",
    "https://tournavis.exemple.fr.mal.exemple/",
    "https://tournavis.exemple.fr@mal.exemple/",
    "https://tournavis.exemple.fr:444/",
    "http://tournavis.exemple.fr/",
    "javascript:alert(1)",
    "\\\\mal.exemple",
  ])("not to %s", async (redirectTo) => {
    const back = await provider.visit(
      await begin(bench.client("implicit"), redirectTo),
      newPerson(),
    );
    const { to } = await comeBack(back);
    expect(to.origin).toBe(SITE);
    expect(to.pathname).toBe("/");
  });
});

describe("linkIdentity and unlinkIdentity", () => {
  /** Begins in a browser; answers the provider's address and the cookie that the browser has got. */
  async function beginLinking(client: Client): Promise<{ url: string; cookie: string }> {
    const seen = vi.spyOn(bench.service, "fetch");
    const { data, error } = await client.auth.linkIdentity({
      provider: "google",
      options: { redirectTo: DASHBOARD, skipBrowserRedirect: true },
    });
    const answer = await seen.mock.results.at(-1)?.value;
    seen.mockRestore();
    if (error) throw error;
    expect(new URL(data.url ?? "").origin).toBe(provider.issuer);
    const cookie: string = answer?.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(
      /^__Host-tournavis-linking=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    return { url: data.url ?? "", cookie: cookie.split(";", 1)[0] ?? "" };
  }

  async function link(client: Client, person: Person) {
    const { url, cookie } = await beginLinking(client);
    return comeBack(await provider.visit(url, person), cookie);
  }

  it("give nobody an identity that another browser brings", async () => {
    const attacker = await createUser(bench.database.sql);
    const client = await signIn(bench.client(), attacker);
    const { url, cookie } = await beginLinking(client);
    const other = await beginLinking(client);
    const before = await howMany();
    const victim = newPerson();
    // Sent to somebody whose browser has no cookie; and with that of another linking.
    const sent = await comeBack(await provider.visit(url, victim));
    const mixed = await comeBack(await provider.visit(other.url, victim), cookie);
    for (const { to, fragment } of [sent, mixed]) {
      expect(to.searchParams.get("error_code")).toBe("bad_oauth_state");
      expect(fragment.has("access_token")).toBe(false);
    }
    expect(await howMany()).toBe(before);
    expect(await accounts(attacker.email)).toMatchObject([{ providers: ["email"] }]);
  });

  it("add a way in to the user who is signed in, and take one away", async () => {
    const user = await createUser(bench.database.sql);
    const client = await signIn(bench.client(), user);
    const person = newPerson();
    expect((await link(client, person)).fragment.has("access_token")).toBe(true);
    const { data } = await client.auth.getUserIdentities();
    // In the order of two clocks, the database's and the service's: either.
    expect(data?.identities.map(({ provider: name }) => name).sort()).toEqual(["email", "google"]);
    const { data: refreshed } = await client.auth.getUser();
    expect(refreshed.user?.email).toBe(user.email);
    expect(refreshed.user?.app_metadata.providers?.sort()).toEqual(["email", "google"]);

    const google = data?.identities.find((identity) => identity.provider === "google");
    if (!google) throw new Error("no identity");
    expect((await client.auth.unlinkIdentity(google)).error).toBeNull();
    const after = await client.auth.getUser();
    expect(after.data.user?.app_metadata.providers).toEqual(["email"]);
    const again = await client.auth.unlinkIdentity(google);
    expect(again.error?.code).toBe("single_identity_not_deletable");
  });

  it("take the password away with the address, and never the last way in", async () => {
    const user = await createUser(bench.database.sql);
    const client = await signIn(bench.client(), user);
    // The address stays, since Google vouches for it; the password does not.
    await link(client, newPerson({ email: user.email }));
    const { data } = await client.auth.getUserIdentities();
    const of = (name: string) => data?.identities.find(({ provider }) => provider === name);
    const [email, google] = [of("email"), of("google")];
    if (!email || !google) throw new Error("no identities");
    expect((await client.auth.unlinkIdentity(email)).error).toBeNull();
    const { error } = await bench.client().auth.signInWithPassword({
      email: user.email,
      password: PASSWORD,
    });
    expect(error?.code).toBe("invalid_credentials");
    expect((await client.auth.unlinkIdentity(google)).error?.code).toBe(
      "single_identity_not_deletable",
    );
    const { data: last } = await client.auth.getUserIdentities();
    expect(last?.identities).toHaveLength(1);
  });

  it("keep the address while that of what would stay is another account's", async () => {
    const user = await createUser(bench.database.sql);
    const other = await createUser(bench.database.sql);
    const client = await signIn(bench.client(), user);
    await link(client, newPerson({ email: other.email }));
    const { data } = await client.auth.getUserIdentities();
    const email = data?.identities.find(({ provider }) => provider === "email");
    if (!email) throw new Error("no identity");
    const before = await accounts(user.email);
    expect((await client.auth.unlinkIdentity(email)).error).toMatchObject({
      status: 422,
      code: "email_conflict_identity_not_deletable",
    });
    expect(await accounts(user.email)).toEqual(before);
  });

  it("refuse an identity that somebody has, or that the user has already", async () => {
    const person = newPerson();
    await signInWithGoogle(bench.client("pkce"), person);
    const client = await signIn(bench.client(), await createUser(bench.database.sql));
    const before = await accounts(person.email ?? "");
    const taken = await link(client, person);
    const wordsOf = ({ to }: typeof taken) =>
      ["error_code", "error_description"].map((name) => to.searchParams.get(name));
    expect(wordsOf(taken)).toEqual([
      "identity_already_exists",
      "Identity is already linked to another user",
    ]);
    expect(await accounts(person.email ?? "")).toEqual(before);
    const own = newPerson();
    await link(client, own);
    const twice = await link(client, own);
    expect(wordsOf(twice)).toEqual(["identity_already_exists", "Identity is already linked"]);
  });

  it("know no identity of somebody else", async () => {
    const stranger = await signInWithGoogle(bench.client("pkce"), newPerson());
    const user = await createUser(bench.database.sql);
    const client = await signIn(bench.client(), user);
    await link(client, newPerson());
    const [theirs] = stranger.user.identities ?? [];
    if (!theirs) throw new Error("no identity");
    const { error } = await client.auth.unlinkIdentity(theirs);
    expect(error?.code).toBe("identity_not_found");
    const { length } = await bench.database.sql`
      select from auth.identities where user_id = ${stranger.user.id}`;
    expect(length).toBe(1);
  });

  it("want the second factor from who has one, and a session from everybody", async () => {
    const user = await createUser(bench.database.sql);
    await addFactor(await signIn(bench.client(), user), bench.deps.now());
    const thief = await signIn(bench.client(), user);
    const { error } = await thief.auth.linkIdentity({ provider: "google" });
    expect(error?.code).toBe("insufficient_aal");
    const token = await tokenOf(thief);
    const removal = await bench.call(`/user/identities/${randomUUID()}`, {
      method: "DELETE",
      token,
    });
    expect(removal.body).toMatchObject({ error_code: "insufficient_aal" });
    const nobody = await bench.call("/user/identities/authorize?provider=google");
    expect([nobody.status, nobody.body]).toMatchObject([401, { error_code: "no_authorization" }]);
    expect(await accounts(user.email)).toMatchObject([{ providers: ["email"] }]);
  });

  it("make a visitor without an account a user", async () => {
    bench.settings.allowsAnonymous = true;
    try {
      const client = bench.client();
      const { data, error } = await client.auth.signInAnonymously();
      expect(error).toBeNull();
      expect(decodeJwt(data.session?.access_token ?? "")).toMatchObject({ is_anonymous: true });
      const person = newPerson();
      await link(client, person);
      const { data: after } = await client.auth.refreshSession();
      expect(after.user).toMatchObject({
        id: data.user?.id,
        email: person.email,
        is_anonymous: false,
      });
      expect(decodeJwt(after.session?.access_token ?? "")).toMatchObject({ is_anonymous: false });
    } finally {
      bench.settings.allowsAnonymous = false;
    }
  });
});

describe("signInWithIdToken", () => {
  const hashed = (nonce: string) => createHash("sha256").update(nonce).digest("hex");

  it("takes a token that the provider gave to this app", async () => {
    const person = newPerson();
    const tokens = await provider.tokensFor(OURS, person, hashed("un nonce"));
    const { data, error } = await bench.client().auth.signInWithIdToken({
      provider: "google",
      token: tokens.id_token,
      access_token: tokens.access_token,
      nonce: "un nonce",
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email: person.email, app_metadata: { provider: "google" } });
    expect(decodeJwt(data.session?.access_token ?? "")).toMatchObject({
      amr: [{ method: "oauth" }],
    });
  });

  it("takes it under the provider's address as well, whose app is named beside it", async () => {
    const person = newPerson();
    const { id_token } = await provider.tokensFor(OURS, person);
    const named = (names: object) =>
      bench.call("/token?grant_type=id_token", { body: { id_token, ...names } });
    const both = { client_id: OURS.clientId, issuer: provider.issuer };
    expect(await named(both)).toMatchObject({
      status: 200,
      body: { user: { email: person.email } },
    });
    for (const one of [{ client_id: both.client_id }, { issuer: both.issuer }]) {
      expect(await named(one)).toMatchObject({
        status: 400,
        body: { error_description: "provider or client_id and issuer required" },
      });
    }
  });

  it("links it to the user who is signed in", async () => {
    const user = await createUser(bench.database.sql);
    const client = await signIn(bench.client(), user);
    const { id_token: token } = await provider.tokensFor(OURS, newPerson());
    const { error } = await client.auth.linkIdentity({ provider: "google", token });
    expect(error).toBeNull();
    expect(await accounts(user.email)).toMatchObject([{ providers: ["email", "google"] }]);
  });

  describe("refuses", () => {
    let token: string;

    beforeAll(async () => {
      token = (await provider.tokensFor(OURS, newPerson(), hashed("un nonce"))).id_token;
    });

    async function refused(parts: { token?: string; nonce?: string; access_token?: string }) {
      const before = await howMany();
      const { data, error } = await bench.client().auth.signInWithIdToken({
        provider: "google",
        token: parts.token ?? token,
        ...(parts.nonce !== undefined && { nonce: parts.nonce }),
        ...(parts.access_token !== undefined && { access_token: parts.access_token }),
      });
      expect(data.session).toBeNull();
      expect(await howMany()).toBe(before);
      return `${error?.status} ${error?.message}`;
    }

    it("another nonce, none, and one that the token does not have", async () => {
      expect(await refused({ nonce: "un autre" })).toBe("400 Nonces mismatch");
      const both = "400 Passed nonce and nonce in id_token should either both exist or not.";
      expect(await refused({})).toBe(both);
      const { id_token } = await provider.tokensFor(OURS, newPerson());
      expect(await refused({ token: id_token, nonce: "un nonce" })).toBe(both);
    });

    it("a token that another app got", async () => {
      const { id_token } = await provider.tokensFor(OTHERS, newPerson());
      expect(await refused({ token: id_token })).toBe(
        "400 Unacceptable audience in id_token: [une-autre-application]",
      );
    });

    it("a token that was changed, unsigned, or signed by anybody else", async () => {
      const nonce = "un nonce";
      const claims = decodeJwt(token);
      const [header = "", , signature = ""] = token.split(".");
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const changed = encode({ ...claims, email: "patronne@exemple.fr" });
      const shared = await new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode(OURS.clientSecret));
      for (const forged of [
        `${header}.${changed}.${signature}`,
        `${encode({ alg: "none" })}.${changed}.`,
        shared,
        "pas un jeton",
      ]) {
        expect(await refused({ token: forged, nonce })).toBe("400 Bad ID token");
      }
    });

    it("a token that another house signed, or that came with another access token", async () => {
      const claims = decodeJwt(token);
      const elsewhere = await provider.sign({ ...claims, iss: "https://accounts.google.com" });
      expect(await refused({ token: elsewhere, nonce: "un nonce" })).toBe("400 Bad ID token");
      const hash = createHash("sha256").update("un jeton").digest().subarray(0, 16);
      const bound = await provider.sign({ ...claims, at_hash: hash.toString("base64url") });
      const other = { token: bound, nonce: "un nonce", access_token: "celui d'une autre" };
      expect(await refused(other)).toBe("400 Bad ID token");
      const { error } = await bench.client().auth.signInWithIdToken({
        provider: "google",
        token: bound,
        nonce: "un nonce",
        access_token: "un jeton",
      });
      expect(error).toBeNull();
    });

    it("a token that is over", async () => {
      bench.advance(11 * 60_000);
      expect(await refused({ nonce: "un nonce" })).toBe("400 Bad ID token");
      bench.advance(-11 * 60_000);
    });

    it("an address that the provider has not verified", async () => {
      const user = await createUser(bench.database.sql);
      const person = newPerson({ email: user.email, emailVerified: false });
      const { id_token } = await provider.tokensFor(OURS, person);
      expect(await refused({ token: id_token })).toMatch(/^422 Unverified email with google\./);
      expect(await accounts(user.email)).toMatchObject([{ providers: ["email"] }]);
    });

    it("a provider that is not switched on, and a call that names none", async () => {
      const apple = await bench.client().auth.signInWithIdToken({ provider: "apple", token });
      expect(apple.error?.code).toBe("provider_disabled");
      const nameless = await bench.call("/token?grant_type=id_token", {
        body: { id_token: token },
      });
      expect([nameless.status, nameless.body]).toEqual([
        400,
        {
          error: "invalid request",
          error_description: "provider or client_id and issuer required",
        },
      ]);
    });
  });
});

describe("ways in that are not switched on answer as the hosted platform does", () => {
  it("signInWithSSO", async () => {
    const { data, error } = await bench.client().auth.signInWithSSO({ domain: "exemple.fr" });
    expect(data).toBeNull();
    expect([error?.status, error?.code, error?.message]).toEqual([
      404,
      "saml_provider_disabled",
      "SAML 2.0 is disabled",
    ]);
  });

  it("signInWithWeb3", async () => {
    const { error } = await bench.client().auth.signInWithWeb3({
      chain: "ethereum",
      message: "tournavis.exemple.fr wants you to sign in with your Ethereum account",
      signature: `0x${"0".repeat(130)}`,
    });
    expect([error?.status, error?.code, error?.message]).toEqual([
      422,
      "web3_provider_disabled",
      "Web3 provider is disabled",
    ]);
  });

  it("signInAnonymously", async () => {
    const before = await howMany();
    const { data, error } = await bench.client().auth.signInAnonymously();
    expect(data.session).toBeNull();
    expect([error?.status, error?.code]).toEqual([422, "anonymous_provider_disabled"]);
    expect(await howMany()).toBe(before);
  });
});
