import { PAGES } from "../../tests/harness/touched.ts";

/** A part of the product whose tests are tried, and the tests that have to notice. */
type Area = {
  /** Files, or folders with everything in them; SQL of schemas is mutated in its functions alone. */
  sources: readonly string[];
  /** Which of the files in those folders; all of them without it. */
  files?: RegExp;
  /** Functions of those schemas that belong here; all of them without it. */
  functions?: RegExp;
  /** Beginnings of the test files' names. */
  tests: readonly string[];
  /** Whether its tests load built pages in a browser: these hold the mutants, too, and the deep tests are among them. */
  isInPages?: boolean;
};

/** Browser tests that look at the same states of the phone pages as others do, in many looks or languages. */
const REPEATING = ["accessibility", "languages", "narrow-screen", "texts", "typography"];

/** Browser tests of the phone pages. */
const VISITS = (PAGES["web/customer/"] ?? [])
  .filter((name) => !REPEATING.includes(name))
  .concat("languages.test")
  .map((name) => `tests/e2e/${name}`);

/** Of the tests that are named a mutant is tried with those that reach it. */
export const AREAS = {
  functions: {
    sources: ["supabase/functions/"],
    tests: [
      "supabase/functions/",
      "tests/database/functions/",
      "tests/server/billing",
      "tests/server/config",
      "tests/server/contact",
      "tests/server/customer-api",
      "tests/server/customer-mails",
      "tests/server/export",
      "tests/server/brand-logo",
      "tests/server/mail-templates",
      "tests/server/monthly-report",
      "tests/server/outbox",
      "tests/server/pages",
      "tests/server/public-rating",
      "tests/server/push",
      "tests/server/refusals",
      "tests/server/slow-readers",
      "tests/server/status",
      "tests/server/subscription-state",
      "tests/server/http.test",
      "tests/server/welcome",
      "tests/conformance/api-keys",
      "tests/database/api-keys",
      "tests/database/back-office/",
      "tests/database/brand",
      "tests/database/campaign-",
      "tests/database/customers",
      "tests/database/find-anything",
      "tests/database/goodwill",
      "tests/database/journey-rules/",
      "tests/database/languages",
      "tests/database/list-selection",
      "tests/database/outbox",
      "tests/database/audit",
      "tests/database/presence",
      "tests/database/public-ratings",
      "tests/database/prize-",
      "tests/database/push",
      "tests/database/review-",
      "tests/database/rewards",
      "tests/database/roles",
      "tests/database/shared-rewards",
      "tests/database/slug-parity",
      "tests/database/start-campaign",
      "tests/database/subscription-life",
      "tests/database/team",
      "web/customer/",
      "web/features/campaign-editor/",
      "web/features/campaigns/",
      "web/features/redeem/",
      "web/features/stores/",
      "web/features/team/",
      "web/lib/",
      "web/ui/wheel/",
    ],
  },
  auth: {
    sources: ["server/auth/"],
    tests: [
      "server/auth/",
      "tests/conformance/",
      "tests/server/captcha-policy",
      "tests/server/config",
      "tests/server/kept-times",
      "tests/server/mailbox",
    ],
  },
  http: {
    sources: ["server/http/", "server/network/", "server/web/"],
    tests: [
      "server/http/",
      "server/network/",
      "server/web/",
      "tests/server/http",
      "tests/server/addresses",
      "tests/server/client-address",
      "tests/server/development-web",
      "tests/server/fill-page",
      "tests/server/flood",
      "tests/server/mailbox",
      "tests/server/page",
      "tests/server/platform",
      "tests/server/refusals",
      "tests/server/site",
      "tests/server/slow-readers",
      "tests/server/static-site",
      "tests/server/brand-logo",
      "tests/server/captcha-policy",
      "tests/server/kept-times",
      "tests/conformance/api-keys",
      "tests/conformance/data-api",
      "tests/conformance/embedding",
      "tests/conformance/executor",
      "tests/conformance/functions",
      "tests/database/functions/requests",
    ],
  },
  data: {
    sources: ["server/data-api/", "server/supabase-lite/"],
    tests: [
      "server/data-api/",
      "tests/conformance/api-keys",
      "tests/conformance/data-api",
      "tests/conformance/embedding",
      "tests/conformance/executor",
      "tests/conformance/filters",
      "tests/conformance/functions",
      "tests/conformance/openapi",
      "tests/conformance/protocol",
      "tests/conformance/statements",
      "tests/conformance/writes",
      "tests/server/api-docs",
      "tests/server/brand-logo",
      "tests/server/cut-connections",
    ],
  },
  realtime: {
    sources: ["server/realtime/"],
    tests: ["server/realtime/", "tests/conformance/realtime"],
  },
  phone: {
    sources: ["web/customer/"],
    files: /^(?!.*(?:win-scene|keep-offline|lazy-parts|\/use-)).*\.ts$/,
    tests: ["web/customer/"],
  },
  /** Views, motion and offline storage of the phone: what a browser proves. */
  "phone-views": {
    sources: ["web/customer/"],
    files: /\.tsx$|win-scene|keep-offline|lazy-parts|\/use-/,
    tests: ["web/customer/", ...VISITS],
    isInPages: true,
  },
  draw: {
    sources: ["supabase/schemas/13_spins.sql"],
    tests: [
      "tests/database/draw",
      "tests/database/same-identifiers",
      "tests/database/blind-draw",
      "tests/database/races",
      "tests/database/rewards",
      "tests/database/journey-rules/",
      "tests/database/lock-order",
      "tests/database/customers",
      "tests/database/campaign-state",
      "tests/database/counters",
      "tests/database/prize-checks",
      "tests/database/shared-rewards",
      "tests/database/presence",
      "tests/database/languages",
      "tests/database/functions/answers",
      "tests/database/catalog",
      "tests/database/matrix.test",
    ],
  },
  stock: {
    sources: ["supabase/schemas/08_rewards.sql", "supabase/schemas/14_codes.sql"],
    tests: [
      "tests/database/rewards",
      "tests/database/races",
      "tests/database/journey-rules/",
      "tests/database/functions/redeem",
      "tests/database/same-identifiers",
      "tests/database/campaign-editing",
      "tests/database/lock-order",
      "tests/database/find-anything",
      "tests/database/personal-data",
      "tests/database/customers",
      "tests/database/prize-checks",
      "tests/database/shared-rewards",
      "tests/database/goodwill",
      "tests/database/languages",
      "tests/database/translations",
      "tests/database/list-selection",
      "tests/database/prize-pictures",
      "tests/database/start-campaign",
      "tests/database/functions/kept-on-phones",
      "tests/database/api-keys",
      "tests/database/jobs",
      "tests/database/draw",
      "tests/database/back-office/figures",
      "tests/database/back-office/dashboard",
      "tests/database/audit",
      "tests/database/accents",
      "tests/database/catalog",
      "tests/database/matrix.test",
    ],
  },
  limits: {
    sources: ["supabase/schemas/04_accounts.sql", "supabase/schemas/06_stores.sql"],
    functions: /take|limit|attempt|sign_ups|unproven|recovery|totp/,
    tests: [
      "tests/database/rate-limits",
      "tests/database/second-factor",
      "tests/database/jobs",
      "tests/database/back-office/onboarding",
      "tests/database/journey-rules/",
      "tests/database/plan-",
      "tests/database/back-office/stores",
      "tests/conformance/account-races",
      "tests/database/catalog",
      "tests/database/matrix.test",
      "tests/conformance/limits",
      "tests/conformance/second-factor",
      "tests/conformance/sign-up",
    ],
  },
  figures: {
    sources: ["supabase/schemas/10_figures.sql", "supabase/schemas/16_dashboard.sql"],
    tests: [
      "tests/database/counters",
      "tests/database/same-identifiers",
      "tests/database/folded-days",
      "tests/database/back-office/",
      "tests/database/find-anything",
      "tests/database/rewards",
      "tests/database/customers",
      "tests/database/personal-data",
      "tests/database/jobs",
      "tests/database/monthly-reports",
      "tests/database/public-ratings",
      "tests/database/campaign-state",
      "tests/database/goodwill",
      "tests/database/shared-rewards",
      "tests/database/prize-checks",
      "tests/database/list-selection",
      "tests/database/accents",
      "tests/database/catalog",
      "tests/database/matrix.test",
    ],
  },
  plans: {
    sources: ["supabase/schemas/19_billing.sql"],
    tests: [
      "tests/database/plan-",
      "tests/database/subscription-life",
      "tests/database/reconciliation",
      "tests/database/outbox",
      "tests/database/jobs",
      "tests/database/campaign-state",
      "tests/database/back-office/onboarding",
      "tests/database/back-office/organization-end",
      "tests/database/catalog",
      "tests/database/matrix.test",
      "tests/server/billing",
    ],
  },
  roles: {
    sources: ["supabase/schemas/05_organizations.sql", "supabase/schemas/17_team.sql"],
    tests: [
      "tests/database/roles",
      "tests/database/team",
      "tests/database/back-office/",
      "tests/database/plan-",
      "tests/database/outbox",
      "tests/database/functions/invitation",
      "tests/database/foreign-identifiers",
      "tests/database/api-keys",
      "tests/database/jobs",
      "tests/database/audit",
      "tests/database/personal-data",
      "tests/database/subscription-life",
      "tests/database/second-factor",
      "tests/database/presence",
      "tests/conformance/takeover",
      "tests/database/catalog",
      "tests/database/matrix.test",
      "tests/server/invitation-limits",
    ],
  },
  points: {
    sources: ["supabase/schemas/27_points.sql"],
    tests: [
      "tests/database/journey-rules/points",
      "tests/database/functions/kept-on-phones",
      "tests/database/translations",
      "tests/database/journey-rules/codes",
      "tests/database/customers",
      "tests/database/same-identifiers",
      "tests/database/foreign-identifiers",
      "tests/database/lock-order",
      "tests/database/personal-data",
      "tests/database/jobs",
      "tests/database/catalog",
      "tests/database/matrix.test",
    ],
  },
  checks: {
    sources: ["supabase/schemas/28_checks.sql"],
    tests: [
      "tests/database/prize-checks",
      "tests/database/presence",
      "tests/database/languages",
      "tests/database/outbox",
      "tests/database/translations",
      "tests/database/same-identifiers",
      "tests/database/foreign-identifiers",
      "tests/database/lock-order",
      "tests/database/personal-data",
      "tests/database/back-office/dashboard",
      "tests/database/jobs",
      "tests/database/catalog",
      "tests/database/matrix.test",
    ],
  },
  goodwill: {
    sources: ["supabase/schemas/32_goodwill.sql"],
    tests: [
      "tests/database/goodwill",
      "tests/database/review-",
      "tests/database/outbox",
      "tests/database/rewards",
      "tests/database/languages",
      "tests/database/translations",
      "tests/database/same-identifiers",
      "tests/database/foreign-identifiers",
      "tests/database/lock-order",
      "tests/database/personal-data",
      "tests/database/catalog",
      "tests/database/matrix.test",
    ],
  },
  presence: {
    sources: ["supabase/schemas/33_presence.sql"],
    tests: [
      "tests/database/presence",
      "tests/database/prize-checks",
      "tests/database/functions/kept-on-phones",
      "tests/database/foreign-identifiers",
      "tests/database/catalog",
      "tests/database/matrix.test",
    ],
  },
  push: {
    sources: ["supabase/schemas/34_push.sql"],
    tests: [
      "tests/database/push",
      "tests/database/audit",
      "tests/database/outbox",
      "tests/database/foreign-identifiers",
      "tests/database/jobs",
      "tests/database/personal-data",
      "tests/database/catalog",
      "tests/database/matrix.test",
      "tests/server/push",
    ],
  },
} satisfies Record<string, Area>;

export type AreaName = keyof typeof AREAS;

export function isAreaName(name: string): name is AreaName {
  return Object.hasOwn(AREAS, name);
}

export function areaOf(name: AreaName): Area {
  return AREAS[name];
}

/** Whether a source is one in which mutants are planted: no words, no types, no entry points of another runtime. */
export function isMutated(file: string): boolean {
  return (
    (/\.tsx?$/.test(file) &&
      !/\.(test|d|copy(\.\w+)?)\.tsx?$/.test(file) &&
      !/^supabase\/functions\/[^/]+\/index\.ts$|\/testing\//.test(file)) ||
    file.endsWith(".sql")
  );
}
