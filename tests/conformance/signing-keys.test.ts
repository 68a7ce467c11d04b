import { createHash, createPublicKey, randomUUID, sign as signBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from "jose";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { runKeys } from "../../server/tokens/commands.ts";
import { parseSigningKeys, type SigningKey } from "../../server/tokens/signing-keys.ts";
import { secondsFromNow } from "../harness/clock.ts";
import { createOrganization, type Organization, PASSWORD } from "../harness/fixtures.ts";
import { png } from "../harness/pictures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** The keys that sign access tokens: what others can check, their exchange, and what passes for none of them. */

const SECRET = "le secret de la version 1.0.0, celui d'avant";

let server: TestServer;
let organization: Organization;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tournavis-keys-"));
  server = await startTestServer({ env: { TOURNAVIS_DATA: folder } });
  organization = await createOrganization(server.database.sql);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A folder as release 1.0.0 left it, and a server on it. */
async function startOfRelease(): Promise<{ old: TestServer; at: string }> {
  const at = await mkdtemp(join(tmpdir(), "tournavis-keys-"));
  await mkdir(join(at, "secrets"), { mode: 0o700 });
  await writeFile(join(at, "secrets", "jwt-secret"), `${SECRET}\n`, { mode: 0o600 });
  const old = await startTestServer({ env: { TOURNAVIS_DATA: at }, database: server.database });
  onTestFinished(async () => {
    await old.stop();
    await rm(at, { recursive: true, force: true });
  });
  return { old, at };
}

/** Runs `npm run keys` and answers what it wrote. */
async function keys(argv: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    await runKeys({ argv, env: { DATABASE_URL: server.database.url, ...env }, cwd: "/" });
  } finally {
    write.mockRestore();
  }
  return written.join("");
}

const at = (seconds: number) => Math.floor(secondsFromNow(seconds).getTime() / 1000);

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

const headerOf = (token: string) => decodeProtectedHeader(token);

async function keySet({ url }: TestServer): Promise<JSONWebKeySet> {
  const response = await fetch(`${url}/auth/v1/.well-known/jwks.json`);
  return response.json();
}

async function keysIn(dataFolder: string): Promise<readonly SigningKey[]> {
  return (
    parseSigningKeys(await readFile(join(dataFolder, "secrets", "signing-keys"), "utf8")) ?? []
  );
}

/** The key in use, with what signs. */
async function pairOf(dataFolder: string) {
  const found = (await keysIn(dataFolder)).find(({ status }) => status === "in_use");
  if (found?.kty !== "EC") throw new Error("There is no key pair.");
  return found;
}

/**
 * Answers of every service to a token; `library` is the way of the data API that Supabase Lite
 * answers.
 */
async function answersTo(token: string, { url, running }: TestServer) {
  const headers = {
    apikey: running.secrets.publishableKey,
    authorization: `Bearer ${token}`,
  };
  const status = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}/${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
    });
    await response.arrayBuffer();
    return response.status;
  };
  const upload = `storage/v1/object/logo-uploads/${organization.id}/${randomUUID()}`;
  const client = createClient(url, headers.apikey, { auth: { persistSession: false } });
  await client.realtime.setAuth(token);
  const joined = new Promise<string>((resolve) => {
    client
      .channel(`organization:${organization.id}:activity`, { config: { private: true } })
      .subscribe(resolve);
  });
  const answers = {
    auth: await status("auth/v1/user"),
    data: await status("rest/v1/stores?select=id"),
    library: await status("rest/v1/stores?select=id,organizations(name)"),
    functions: await status("functions/v1/redeem", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: "INCONNU", store_id: organization.storeId }),
    }),
    storage: await status(upload, {
      method: "POST",
      headers: { "content-type": "image/png" },
      body: new Uint8Array(png(8, 8)),
    }),
    realtime: await joined,
  };
  await client.removeAllChannels();
  // Only some may wait at a time.
  await server.database.sql.begin(async (sql) => {
    await sql`select set_config('storage.allow_delete_query', 'true', true)`;
    await sql`delete from storage.objects where bucket_id = 'logo-uploads'`;
  });
  return answers;
}

const WELCOME = {
  auth: 200,
  data: 200,
  library: 200,
  functions: 404,
  storage: 200,
  realtime: "SUBSCRIBED",
};
const REFUSED = {
  auth: 403,
  data: 401,
  library: 401,
  functions: 401,
  storage: 401,
  realtime: "CHANNEL_ERROR",
};

describe("a new installation", () => {
  it("signs with a key pair whose public part is in the key set, for others to check", async () => {
    const { token } = await server.signIn(organization.users.owner);
    const { kid, d } = await pairOf(folder);
    expect(headerOf(token)).toEqual({ alg: "ES256", typ: "JWT", kid });
    const response = await fetch(`${server.url}/auth/v1/.well-known/jwks.json`);
    expect(response.headers.get("cache-control")).toBe("public, max-age=600");
    const text = await response.text();
    expect(text).not.toContain(d);
    const set: JSONWebKeySet = JSON.parse(text);
    expect(set.keys).toEqual([
      {
        ...{
          kid,
          kty: "EC",
          crv: "P-256",
          alg: "ES256",
          use: "sig",
          key_ops: ["verify"],
          ext: true,
        },
        ...{ x: expect.any(String), y: expect.any(String) },
      },
    ]);
    const { payload } = await jwtVerify(token, createLocalJWKSet(set));
    expect(payload.sub).toBe(organization.users.owner.id);
    expect(await answersTo(token, server)).toEqual(WELCOME);
    await expect(stat(join(folder, "secrets", "jwt-secret"))).rejects.toThrow("ENOENT");
    expect((await stat(join(folder, "secrets", "signing-keys"))).mode & 0o777).toBe(0o600);
  });

  it("lets the official client check a token by itself", async () => {
    const asked: string[] = [];
    const { email } = organization.users.owner;
    const client = createClient(server.url, server.running.secrets.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: {
        fetch: (input, init) => {
          asked.push(new URL(String(input)).pathname);
          return fetch(input, init);
        },
      },
    });
    const { data } = await client.auth.signInWithPassword({ email, password: PASSWORD });
    const token = data.session?.access_token ?? "";
    asked.length = 0;
    const known = await client.auth.getClaims(token);
    expect(known.data?.claims.sub).toBe(organization.users.owner.id);
    expect(asked).toEqual(["/auth/v1/.well-known/jwks.json"]);
    const [head, body, signature = ""] = token.split(".");
    const changed = `${signature[0] === "A" ? "B" : "A"}${signature.slice(1)}`;
    const forged = await client.auth.getClaims(`${head}.${body}.${changed}`);
    expect(forged.error?.message).toBe("Invalid JWT signature");
  });

  it("signs what a key of the API is exchanged for with the same key", async () => {
    const token = await server.running.tokens.sign({ role: "authenticated", exp: at(60) });
    expect(headerOf(token).alg).toBe("ES256");
  });
});

describe("no service takes", () => {
  const claimsOf = ({ users }: Organization) => {
    const { id } = users.owner;
    return {
      ...{ role: "authenticated", sub: id, session_id: id, aal: "aal1", aud: "authenticated" },
      ...{ iss: "x", email: "", phone: "", iat: at(-10), exp: at(3600), is_anonymous: false },
      ...{ app_metadata: {}, user_metadata: {}, amr: [] },
    };
  };

  /** A token with any header, signed by a key of the curve. */
  const signedBy = (key: SigningKey, header: object) => {
    if (key.kty !== "EC") throw new Error("This key is no pair.");
    const { kty, crv, x, y, d } = key;
    const content = `${part(header)}.${part(claimsOf(organization))}`;
    const signature = signBytes("sha256", Buffer.from(content), {
      key: { kty, crv, x, y, d },
      format: "jwk",
      dsaEncoding: "ieee-p1363",
    });
    return `${content}.${signature.toString("base64url")}`;
  };
  const signedWith = (secret: string, header: { alg: string; kid?: string }) =>
    new SignJWT(claimsOf(organization)).setProtectedHeader(header).sign(Buffer.from(secret));

  /** The public key in every way in which somebody might take it for a secret. */
  const textsOf = async () => {
    const { kty, crv, x, y } = await pairOf(folder);
    const key = createPublicKey({ key: { kty, crv, x, y }, format: "jwk" });
    return {
      pem: key.export({ type: "spki", format: "pem" }).toString(),
      jwk: JSON.stringify((await keySet(server)).keys[0]),
      x,
    };
  };

  it("itself differs from what follows by one thing only", async () => {
    const key = await pairOf(folder);
    const sound = signedBy(key, { alg: "ES256", kid: key.kid });
    expect(await answersTo(sound, server)).toEqual(WELCOME);
  });

  it.each<[string, () => Promise<string>]>([
    ["an unsigned one", async () => `${part({ alg: "none" })}.${part(claimsOf(organization))}.`],
    [
      "an unsigned one that names a key, with something like a signature",
      async () => {
        const { kid } = await pairOf(folder);
        return `${part({ alg: "none", kid })}.${part(claimsOf(organization))}.${part("")}`;
      },
    ],
    [
      "the public key's PEM as a secret",
      async () =>
        signedWith((await textsOf()).pem, { alg: "HS256", kid: (await pairOf(folder)).kid }),
    ],
    ["the same without a name", async () => signedWith((await textsOf()).pem, { alg: "HS256" })],
    [
      "the public key's JWK as a secret",
      async () =>
        signedWith((await textsOf()).jwk, { alg: "HS256", kid: (await pairOf(folder)).kid }),
    ],
    ["a secret that nobody gave", async () => signedWith(SECRET, { alg: "HS256" })],
    [
      "another key's signature under our name",
      async () => {
        const { kid } = await pairOf(folder);
        return signedBy(await strangeKey(), { alg: "ES256", kid });
      },
    ],
    [
      "a key that is ours under another name",
      async () => signedBy(await pairOf(folder), { alg: "ES256", kid: randomUUID() }),
    ],
    [
      "a key that is ours without its name",
      async () => signedBy(await pairOf(folder), { alg: "ES256" }),
    ],
    [
      "a key that it brings along",
      async () => {
        const key = await strangeKey();
        if (key.kty !== "EC") throw new Error("This key is no pair.");
        const { kty, crv, x, y, kid } = key;
        return signedBy(key, { alg: "ES256", kid, jwk: { kty, crv, x, y } });
      },
    ],
    [
      "an extension that is to be understood",
      async () => {
        const key = await pairOf(folder);
        return signedBy(key, { alg: "ES256", kid: key.kid, crit: ["b64"], b64: true });
      },
    ],
    [
      "Supabase Lite's own token",
      // Its secret follows from a key that never leaves the folder; a guess is worth nothing.
      async () =>
        signedWith(createHash("sha256").update("tokens for Supabase Lite").digest("hex"), {
          alg: "HS256",
        }),
    ],
  ])("%s", async (_, make) => {
    const answers = await answersTo(await make(), server);
    expect(answers).toEqual(REFUSED);
  });
});

/** A key of another installation. */
async function strangeKey(): Promise<SigningKey> {
  const text = await keys(["rotate"], { SIGNING_KEYS: await givenKeys("standby") });
  const found = parseSigningKeys(givenIn(text))?.find(({ status }) => status === "in_use");
  if (!found) throw new Error("There is no key.");
  return found;
}

const givenIn = (text: string) => /^SIGNING_KEYS='(.*)'$/m.exec(text)?.[1] ?? "";

/** Keys as the environment gives them, after a step. */
async function givenKeys(...argv: string[]): Promise<string> {
  const secret = Buffer.from(SECRET).toString("base64url");
  const since = "2026-01-01T00:00:00.000Z";
  const first = [{ status: "in_use", since, kty: "oct", alg: "HS256", k: secret }];
  return givenIn(await keys(argv, { SIGNING_KEYS: JSON.stringify(first) }));
}

describe("an exchange of keys", () => {
  it("of an installation of release 1.0.0 signs nobody out, until the old key is revoked", async () => {
    const { old, at: data } = await startOfRelease();
    const owner = await old.signIn(organization.users.owner);
    expect(headerOf(owner.token)).toEqual({ alg: "HS256", typ: "JWT" });
    expect((await keySet(old)).keys).toEqual([]);
    expect(await answersTo(owner.token, old)).toEqual(WELCOME);

    const env = { TOURNAVIS_DATA: data };
    await keys(["standby"], env);
    await old.running.refreshKeys();
    // Others know it before it signs.
    expect((await keySet(old)).keys).toHaveLength(1);
    expect(headerOf((await old.signIn(organization.users.owner)).token).alg).toBe("HS256");

    await keys(["rotate"], env);
    await old.running.refreshKeys();
    const later = await old.signIn(organization.users.owner);
    expect(headerOf(later.token)).toMatchObject({
      alg: "ES256",
      kid: (await keySet(old)).keys[0]?.kid,
    });
    for (const token of [owner.token, later.token]) {
      expect(await answersTo(token, old)).toEqual(WELCOME);
    }

    await expect(keys(["revoke", "jwt-secret"], env)).rejects.toMatchObject({
      code: "keys_still_believed",
    });
    expect(await keysIn(data)).toHaveLength(2);
    await keys(["revoke", "jwt-secret", "--now"], env);
    await old.running.refreshKeys();
    expect(await answersTo(owner.token, old)).toEqual(REFUSED);
    // Nobody signs in again for that: the session goes on.
    const { data: refreshed } = await owner.client.auth.refreshSession();
    expect(await answersTo(refreshed.session?.access_token ?? "", old)).toEqual(WELCOME);
    expect(await answersTo(later.token, old)).toEqual(WELCOME);
  });

  it("reaches a second process on the same folder, also of a key that was remembered", async () => {
    const second = await startTestServer({
      env: { TOURNAVIS_DATA: folder },
      database: server.database,
    });
    onTestFinished(() => second.stop());
    const { token } = await server.signIn(organization.users.owner);
    const [first] = await keysIn(folder);
    expect(await answersTo(token, second)).toEqual(WELCOME);
    const env = { TOURNAVIS_DATA: folder };
    await keys(["standby"], env);
    await keys(["rotate"], env);
    await keys(["revoke", first?.kid ?? "", "--now"], env);
    await Promise.all([server.running.refreshKeys(), second.running.refreshKeys()]);
    expect(await answersTo(token, second)).toEqual(REFUSED);
    const after = await server.signIn(organization.users.owner);
    expect(await answersTo(after.token, second)).toEqual(WELCOME);
  });

  it("goes on with the keys from before while their file cannot be read", async () => {
    const path = join(folder, "secrets", "signing-keys");
    const text = await readFile(path, "utf8");
    const { token } = await server.signIn(organization.users.owner);
    await writeFile(path, '[{"status":"in_use"}]');
    await server.running.refreshKeys();
    expect(await answersTo(token, server)).toEqual(WELCOME);
    expect(server.log.map(({ event }) => event)).toContain("signing_keys_failed");
    await writeFile(path, text);
    await server.running.refreshKeys();
  });

  it("takes keys from the environment, and prints the next ones there", async () => {
    const given = await givenKeys("standby", "--hs256");
    const [used, next] = parseSigningKeys(given) ?? [];
    expect([used?.status, used?.alg, next?.status, next?.alg]).toEqual([
      ...["in_use", "HS256", "standby", "HS256"],
    ]);
    const text = await keys([], { SIGNING_KEYS: given });
    expect(text).toContain(next?.kid);
    expect(text).not.toContain(next?.kty === "oct" ? next.k : "?");
  });

  it.each<[string, string[], string]>([
    ["a second one on stand-by", ["standby"], "keys_standby_exists"],
    ["one that signs revoked", ["revoke", "jwt-secret"], "keys_in_use"],
    ["one that nobody knows", ["revoke", "autre"], "keys_unknown"],
    ["one without a name", ["revoke"], "keys_name_missing"],
    ["an unknown step", ["tourner"], "unknown_argument"],
    ["an unknown flag", ["rotate", "--hs256"], "unknown_argument"],
  ])("refuses %s", async (_, argv, code) => {
    const SIGNING_KEYS = await givenKeys("standby");
    await expect(keys(argv, { SIGNING_KEYS })).rejects.toMatchObject({ code });
  });

  it("is refused in a folder where no server has been, and makes no key there", async () => {
    const nowhere = await mkdtemp(join(tmpdir(), "tournavis-keys-"));
    onTestFinished(() => rm(nowhere, { recursive: true, force: true }));
    for (const argv of [[], ["standby"]]) {
      await expect(keys(argv, { TOURNAVIS_DATA: nowhere })).rejects.toMatchObject({
        code: "keys_nothing_there",
      });
    }
    expect(await readdir(nowhere)).toEqual([]);
  });

  it("refuses to rotate to nothing", async () => {
    const { at: data } = await startOfRelease();
    await expect(keys(["rotate"], { TOURNAVIS_DATA: data })).rejects.toMatchObject({
      code: "keys_no_standby",
    });
  });

  it.each([
    ["no list", "{}"],
    ["none in use", "[]"],
    ["a key pair whose halves differ", null],
  ])("refuses an environment with %s, without showing it", async (_, text) => {
    const made = parseSigningKeys(await givenKeys("standby"))?.[1];
    const other = await strangeKey();
    if (made?.kty !== "EC" || other.kty !== "EC") throw new Error("These keys are no pairs.");
    const SIGNING_KEYS = text ?? JSON.stringify([{ ...made, status: "in_use", d: other.d }]);
    const error = await keys([], { SIGNING_KEYS }).then(
      () => null,
      (refusal: unknown) => refusal,
    );
    expect(error).toMatchObject({ code: "invalid_signing_keys" });
    expect(String(error)).not.toContain(other.d);
  });
});
