import { posix } from "node:path";

/**
 * Which tests a change touches (`npm test -- --changed`): those that import what changed, and, where a test loads built
 * pages, a database or the whole server, those that the tables below name.
 */

/** A source file's text, or null where there is no such file; paths are relative to the project's folder. */
export type Read = (path: string) => string | null;

/** Files that every test rests on. */
const ALL =
  /^(package(-lock)?\.json|tsconfig\.json|vite(st)?\.config\.ts|patches\/.*|tests\/run\.ts|tests\/harness\/(global-setup|cluster|seed)\.ts)$/;

/** Changed files, and the beginnings of the tests that read or start them without an import. */
const BY_PATH: readonly (readonly [changed: RegExp, tests: readonly string[]])[] = [
  // These read the whole project: words, references, who reads the clock.
  [/./, ["tests/harness/"]],
  [
    /^supabase\/.*\.sql$/,
    [
      "tests/database/",
      "tests/server/hosted-project",
      "tests/server/prepare-database",
      "scripts/mutate/areas",
    ],
  ],
  [/^supabase\/releases\//, ["tests/database/migrations", "tests/database/schema"]],
  [/^supabase\/types\//, ["tests/database/openapi", "tests/database/types"]],
  [/^supabase\/(config\.toml|\.env\.example)$/, ["tests/server/hosted-project"]],
  [/^supabase\/templates\//, ["tests/server/mail-templates"]],
  [/^supabase\/functions\//, ["tests/server/", "tests/database/functions/"]],
  [/^supabase\/functions\/_shared\/messages\//, ["tests/e2e/mails"]],
  [/^server\//, ["tests/server/"]],
  [/^server\/(auth|data-api|http|realtime|supabase-lite|tokens)\//, ["tests/conformance/"]],
  [/^server\/postgres\//, ["tests/database/"]],
  [/^server\/mailbox\//, ["tests/e2e/mailbox"]],
  [/^web\/(customer|site|public)\/|^web\/[^/]+$/, ["tests/server/pages", "tests/server/site"]],
  [/^web\//, ["tests/server/build", "web/back-office-texts", "web/every-form"]],
  [/^web\/public\/openapi\.json$/, ["tests/database/openapi"]],
  [/^web\/public\/push-worker\.js$/, ["tests/e2e/push"]],
  [/^web\/route-tree\.gen\.ts$/, ["tests/database/plan-matrix", "tests/database/screens"]],
  [/^deploy\//, ["tests/server/deployment", "tests/server/proxies"]],
];

/** Parts of the front end, and the beginnings of the browser tests (`tests/e2e/…`) that visit them. */
export const PAGES: Readonly<Record<string, readonly string[]>> = {
  "web/customer/": [
    "accessibility",
    "changed-presence",
    "closed-campaign",
    "five-stars",
    "four-stars",
    "hasty-thumb",
    "keyboard",
    "languages",
    "left-field",
    "loss",
    "lost-network",
    "mailed-prize",
    "misspelt-address",
    "narrow-screen",
    "offline",
    "older-browsers",
    "other-engines",
    "points",
    "presence",
    "privacy",
    "prize-pictures",
    "refused-spin",
    "renamed-campaign",
    "repeats",
    "slow-phone",
    "static-pages",
    "store-entry",
    "test-mode",
    "texts",
    "typography",
    "unhappy",
    "wheel-motion",
    "win",
    "without-review",
  ],
  "web/site/": [
    "clear",
    "landing",
    "operator-site",
    "pricing",
    "public-pages",
    "server-rendered-pages",
    "visitor-pages",
  ],
  "web/features/api-docs/": ["public-pages"],
  "web/features/api-keys/": ["api-and-roles"],
  "web/features/auth/": [
    "address",
    "captcha",
    "chosen-plan",
    "confirmation-links",
    "first-load",
    "forgotten-password",
    "google",
    "passkey-sign-in",
    "phone-sign-up",
    "server-rendered-pages",
    "sign-in",
    "sign-up",
  ],
  "web/features/billing/": ["change-of-plan", "chosen-plan", "pricing", "subscription"],
  "web/features/brand/": ["brand"],
  "web/features/campaign-editor/": [
    "campaign-editor",
    "counted-clicks",
    "fresh-screens",
    "translations",
    "wheel-editor",
  ],
  "web/features/campaigns/": [
    "campaign",
    "list-addresses",
    "new-campaign",
    "posters",
    "second-try",
    "shared-rewards",
  ],
  "web/features/customers/": [
    "customers",
    "fresh-screens",
    "left-field",
    "list",
    "points-exchange",
    "withdrawn-consent",
  ],
  "web/features/dashboard/": ["bad-reviews", "dashboard", "fresh-screens", "live", "public-rating"],
  "web/features/marketing/": ["clear", "landing", "pricing", "public-pages", "visitor-pages"],
  "web/features/onboarding/": ["first-campaign", "onboarding", "second-try"],
  "web/features/push/": ["push"],
  "web/features/redeem/": ["live", "presence", "printed-codes", "prize-checks", "till-"],
  "web/features/reviews/": ["bad-reviews", "fresh-screens", "list-addresses", "reviews"],
  "web/features/rewards/": [
    "fresh-screens",
    "left-field",
    "list",
    "points-exchange",
    "presence",
    "prize-",
    "reward",
    "second-try",
    "shared-rewards",
    "translations",
    "win-codes",
  ],
  "web/features/security/": ["account-security", "own-account", "passkey", "second-factor"],
  "web/features/service/": ["visitor-pages"],
  "web/features/settings/": ["settings", "subscription-states"],
  // The layout of every screen, and with it the tests that walk through all screens.
  "web/features/shell/": [
    "accessibility",
    "back-office-keyboard",
    "dashboard",
    "ended-session",
    "every-screen",
    "first-load",
    "kept-focus",
    "missing-part",
    "palette",
    "refused-changes",
    "roles",
    "texts",
    "two-organisations",
    "typography",
    "zoom",
  ],
  "web/features/site/": ["landing", "public-pages", "withdrawn-consent"],
  "web/features/stores/": ["fresh-screens", "list", "public-rating", "second-try", "store"],
  "web/features/team/": ["api-and-roles", "fresh-screens", "list-addresses", "roles", "team"],
};

const IMPORT =
  /(?:^|[\s;}])(?:import|export)(?!\s+type\b)[^"';]*?from\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g;

/** The module of texts that a translation stands in for: which one is imported, the build decides. */
const translated = (path: string) => path.replace(/\.copy\.[a-z]{2}\.ts$/, ".copy.ts");

/** Files of the project that others import, found once each. Types alone change no test's result. */
export class Imports {
  readonly #read: Read;
  readonly #found = new Map<string, readonly string[]>();

  constructor(read: Read) {
    this.#read = read;
  }

  of(file: string): readonly string[] {
    const known = this.#found.get(file);
    if (known) return known;
    const text = /\.(tsx?|js)$/.test(file) ? (this.#read(file) ?? "") : "";
    const imported = [...text.matchAll(IMPORT)].flatMap(([, named, direct]) => {
      const name = named ?? direct ?? "";
      if (name.startsWith("#domain/"))
        return [name.replace("#domain", "supabase/functions/_shared/domain")];
      return name.startsWith(".") ? [posix.join(posix.dirname(file), name)] : [];
    });
    this.#found.set(file, imported);
    return imported;
  }

  /** All that a file reaches, itself included; where `isFollowed` says no, the file itself but nothing behind it. */
  reachedFrom(
    files: readonly string[],
    isFollowed: (file: string) => boolean = () => true,
  ): Set<string> {
    const reached = new Set<string>();
    const waiting = [...files];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      if (isFollowed(file)) waiting.push(...this.of(file));
    }
    return reached;
  }
}

/**
 * Files that a test imports. Tests below `tests/` start the whole server or read single rules.
 * Behind the first file outside that folder nothing is followed, since every change would touch
 * every test.
 */
function reachedBy(test: string, imports: Imports): Set<string> {
  const isShared = test.startsWith("tests/");
  return imports.reachedFrom([test], (file) => !isShared || file.startsWith("tests/"));
}

/** Browser tests of a changed file of the front end: those of the parts that reach it, all where no part does. */
function pagesOf(changed: string, sources: readonly string[], imports: Imports): string[] {
  const isRoute = changed.startsWith("web/routes/");
  const reachedByRoute = isRoute ? imports.of(changed) : [];
  const parts = Object.entries(PAGES).filter(([folder]) => {
    if (isRoute) return reachedByRoute.some((file) => file.startsWith(folder));
    const own = sources.filter((file) => file.startsWith(folder) && !/\.test\.tsx?$/.test(file));
    return changed.startsWith(folder) || imports.reachedFrom(own).has(changed);
  });
  const beginnings = (parts.length > 0 ? parts : Object.entries(PAGES)).flatMap(([, e2e]) => e2e);
  return [...new Set(beginnings)].map((name) => `tests/e2e/${name}`);
}

/** Whether a file is a picture or a description, which no screen is made of. */
const isServedAsIs = (path: string) => path.startsWith("web/public/");

/** Chooses of `tests` those that the changed files touch; `sources` are all files of the project. */
export function touchedTests(
  changedFiles: readonly string[],
  tests: readonly string[],
  sources: readonly string[],
  read: Read,
): Set<string> {
  const changed = changedFiles.map(translated);
  if (changed.some((file) => ALL.test(file))) return new Set(tests);
  const imports = new Imports(read);
  const isCode = (file: string) =>
    file.startsWith("web/") && !isServedAsIs(file) && !/\.test\.tsx?$/.test(file);
  const rows = BY_PATH.filter(([pattern]) => changed.some((file) => pattern.test(file)));
  const beginnings = rows.flatMap(([, names]) => names);
  const pages = changed.filter(isCode).flatMap((file) => pagesOf(file, sources, imports));
  const isNamed = (test: string) => [...beginnings, ...pages].some((name) => test.startsWith(name));
  const hasImport = (test: string) => {
    const reached = reachedBy(test, imports);
    return changed.some((file) => reached.has(file));
  };
  return new Set(tests.filter((test) => isNamed(test) || hasImport(test)));
}

/** Files that start our own server in a test: it serves the built pages. */
const SERVES_PAGES = new Set(["tests/harness/server.ts", "tests/harness/program.ts"]);
const ALWAYS_BUILT = /^tests\/(conformance|e2e|server)\//;

/** Whether a test needs the build. */
export function needsBuild(test: string, read: Read): boolean {
  if (ALWAYS_BUILT.test(test)) return true;
  return [...reachedBy(test, new Imports(read))].some((file) => SERVES_PAGES.has(file));
}
