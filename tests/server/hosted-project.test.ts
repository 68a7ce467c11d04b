import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listMigrations } from "../../server/postgres/migrate.ts";
import { ROOT } from "../../server/root.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/**
 * Project that `supabase functions deploy` and `supabase config push` would make of this
 * repository.
 */

const FUNCTIONS = new URL("supabase/functions/", ROOT);

/**
 * How each function learns who calls it: a new one fails here until stated. None leaves that to the gateway, which
 * would answer preflight requests, the payment provider and strangers in words of its own.
 */
const CALLERS = {
  "api-token": "key",
  "billing-portal": "session",
  brand_logo: "session",
  campaign: "anybody",
  campaign_rules: "anybody",
  checkout: "session",
  consent: "anybody",
  contact: "anybody",
  "create-test-customer": "session",
  "export-organization": "session",
  "exports-csv": "session",
  "monthly-report": "session",
  "public-rating": "session",
  invitation: "anybody",
  mail_prize: "anybody",
  points_wallet: "anybody",
  presence: "anybody",
  prize_status: "anybody",
  public_review_click: "anybody",
  redeem: "key or session",
  review_record: "anybody",
  "run-jobs": "secret",
  scan: "anybody",
  spend_points: "anybody",
  spin_wheel: "anybody",
  status: "anybody",
  "stripe-webhook": "signature",
  unsubscribe: "anybody",
  "update-subscription": "session",
} as const;

/** Calls by which a handler identifies its caller. */
const SIGNS: readonly (readonly [sign: RegExp, caller: string])[] = [
  [/\bpresentedKey\(/, "key"],
  [/\b(signedInUser|withBilling)\(/, "session"],
  [/\bconstructEventAsync\(/, "signature"],
  [/\bisSameText\(/, "secret"],
];

/** Sections `[functions.<name>]` of the configuration, each with its settings. */
function sectionsOf(toml: string): Map<string, Record<string, string>> {
  const sections = new Map<string, Record<string, string>>();
  let open: Record<string, string> | null = null;
  for (const line of toml.split("\n")) {
    const head = /^\[(.+)\]$/.exec(line)?.[1];
    if (head !== undefined) {
      const name = /^functions\.(.+)$/.exec(head)?.[1];
      open = name === undefined ? null : {};
      if (open && name !== undefined) sections.set(name, open);
    }
    const [, key, value] = /^(\w+) = (.+)$/.exec(line) ?? [];
    if (open && key !== undefined && value !== undefined) open[key] = value;
  }
  return sections;
}

async function read(name: string): Promise<string> {
  return readFile(new URL(name, ROOT), "utf8");
}

/** Packages that functions find unpacked. */
async function importMap(): Promise<Record<string, string>> {
  return JSON.parse(await read("supabase/functions/deno.json")).imports;
}

describe("the functions of a hosted project", () => {
  const names = Object.keys(CALLERS).sort();

  it("are stated, each with the import map and without the gateway's check", async () => {
    const entries = await readdir(fileURLToPath(FUNCTIONS), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"));
    expect(folders.map(({ name }) => name).sort()).toEqual(names);
    const sections = sectionsOf(await read("supabase/config.toml"));
    expect([...sections.keys()].sort()).toEqual(names);
    for (const settings of sections.values()) {
      expect(settings).toEqual({ verify_jwt: "false", import_map: '"./functions/deno.json"' });
    }
  });

  it.each(Object.entries(CALLERS))("%s asks for itself: %s", async (name, caller) => {
    const handler = await read(`supabase/functions/${name}/handler.ts`);
    const asked = SIGNS.filter(([sign]) => sign.test(handler)).map(([, found]) => found);
    expect(asked.join(" or ") || "anybody").toBe(caller);
  });

  it("take packages of the versions that the server has", async () => {
    const { dependencies } = JSON.parse(await read("package.json"));
    for (const target of Object.values(await importMap())) {
      const [, name = "", version] = /^npm:\/?((?:@[^/]+\/)?[^@/]+)@([\d.]+)/.exec(target) ?? [];
      expect([name, version]).toEqual([name, dependencies[name]]);
    }
  });

  it("find each package that they import in the import map, unpacked as well", async () => {
    const known = Object.keys(await importMap());
    const files = await readdir(FUNCTIONS, { recursive: true });
    const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
    const imported = await Promise.all(
      sources.map(async (file) => {
        const text = await read(`supabase/functions/${file}`);
        return [...text.matchAll(/^(?:import|export)(?! type)[^;]*? from "([^".#][^"]*)"/gm)].map(
          ([, name = ""]) => name,
        );
      }),
    );
    const packages = new Set(imported.flat().filter((name) => !name.startsWith("node:")));
    expect(packages.size).toBeGreaterThan(5);
    const isKnown = (name: string) =>
      known.some((entry) => (entry.endsWith("/") ? name.startsWith(entry) : name === entry));
    expect([...packages].filter((name) => !isKnown(name))).toEqual([]);
  });
});

describe("the migrations of a hosted project", () => {
  /** Comments, texts and bodies of functions and blocks: what stands in none of them runs as a statement of its own. */
  const ENCLOSED = /--.*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'/g;

  /**
   * Statements that have a meaning only in the transaction that others share, or would end the one
   * that our server opens.
   */
  const OF_A_TRANSACTION = [
    /^(lock|set\s+(local|transaction)|begin|start|commit|end|rollback|abort|savepoint|release)\b/i,
    /^set\s+constraints\b.*\bdeferred$/is,
    /\bon\s+commit\b/i,
    /\bset_config\b/i,
  ];

  const offences = (migration: string): string[] =>
    migration
      .replace(ENCLOSED, " ")
      // A body in the standard's words is one statement, for the CLI too.
      .replace(/\bbegin atomic\b[\s\S]*?^end;/gim, ";")
      .split(";")
      .map((statement) => statement.trim())
      .filter((statement) => OF_A_TRANSACTION.some((sign) => sign.test(statement)));

  it("need no transaction around them, as the CLI opens none", async () => {
    const found = await Promise.all(
      (await listMigrations()).map(async ({ version, file }) => {
        const statements = offences(await readFile(file, "utf8"));
        return statements.map((statement) => `${version}: ${statement}`);
      }),
    );
    expect(found.flat()).toEqual([]);
  });

  it("have a number each, as histories know them by it", async () => {
    const versions = (await listMigrations()).map(({ version }) => version);
    expect(versions.filter((version, at) => versions.indexOf(version) !== at)).toEqual([]);
  });

  it.each([
    "lock table public.spins in share mode",
    "/* Why */ set local lock_timeout = '1s'",
    "set constraints all deferred",
    "create temporary table kept on commit drop as select 1",
    "select pg_catalog.set_config('role', 'anon', true)",
    "begin; select 1",
    "select '--;'; -- Why\ncommit",
  ])("are searched: %s", (statement) => {
    expect(offences(`${statement};`)).toHaveLength(1);
    expect(offences(`do $$ begin ${statement}; end; $$;`)).toEqual([]);
  });
});

describe("the settings of a hosted project", () => {
  it("name no address of one's own machine", async () => {
    const settings = (await read("supabase/config.toml")).replace(/^#.*$/gm, "");
    expect(settings).not.toMatch(/localhost|127\.0\.0\.1/);
    expect(settings).toContain('site_url = "env(SITE_URL)"');
  });

  it("are listed for whoever fills them in", async () => {
    const asked = (await read("supabase/config.toml")).matchAll(/env\((\w+)\)/g);
    const listed = await read("supabase/.env.example");
    for (const [, name] of asked) expect(listed).toMatch(new RegExp(`^#? ?${name}=`, "m"));
  });
});

describe("pages of another host", () => {
  let server: TestServer;
  const origin = "https://avis.exemple.fr";

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.stop());

  const called = Object.keys(CALLERS).filter((name) => name !== "run-jobs");

  it.each(called)("may call %s", async (name) => {
    const { status, headers } = await server.call(name, undefined, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "apikey,authorization,content-type,x-client-info",
      },
    });
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-headers")?.split(", ").sort()).toEqual(
      expect.arrayContaining(["apikey", "authorization", "content-type", "x-client-info"]),
    );
    // No cookie is ever sent along.
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });

  it("can read when to try again", async () => {
    const refused = await server.call("spin_wheel", {}, { headers: { origin } });
    expect(refused.headers.get("access-control-expose-headers")).toContain("retry-after");
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  });
});
