import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunksByRule, iconsByFile, type Reach } from "./server/build/chunks.ts";
import { textsIn, withoutStyles } from "./server/build/texts.ts";
import { PAGES, typesetTexts } from "./server/build/typeset-texts.ts";
import { FIRST_LANGUAGE, LANGUAGES } from "./supabase/functions/_shared/domain/text/languages.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Modes of the builds beside the application's: the phone pages (`vite build --mode phone`), and the public site. */
const PHONE = "phone";
const SITE = "site";

/** Modes of the phone pages in the other languages: `phone-en`. */
const TRANSLATED = new Map<string, string>(
  LANGUAGES.filter((language) => language !== FIRST_LANGUAGE).map((language) => [
    `${PHONE}-${language}`,
    language,
  ]),
);

/** First steps of the phone pages: what one of them needs is loaded at once. */
const phone = (module: string) => path(`./web/customer/${module}`);
const [entry, review, play, name] = [
  phone("entry-client.tsx"),
  phone("review-flow/review-page.tsx"),
  phone("wheel/play-page.tsx"),
  phone("wheel/name-step.tsx"),
];
const isFirst = (id: string, reach: Reach) =>
  [entry, review, play, name].some((module) => reach(module).has(id));

/**
 * Files that the phone pages share, as few as first loads need: `parts` on every page,
 * `play` and `wheel` on the wheel page, `journey` once somebody takes part, `kept` once they have something to show.
 */
const phoneFiles = chunksByRule({
  parts: (id, reach) => reach(review).has(id) && (reach(play).has(id) || reach(name).has(id)),
  play: (id, reach) => reach(play).has(id) && !reach(entry).has(id),
  wheel: (id, reach) => reach(phone("wheel/wheel-step.tsx")).has(id) && !isFirst(id, reach),
  journey: (id, reach) =>
    reach(phone("review-flow/lazy-parts.ts")).has(id) &&
    reach(phone("wheel/lazy-parts.ts")).has(id) &&
    !isFirst(id, reach),
  kept: (id, reach) =>
    reach(phone("keep/kept-page.tsx")).has(id) &&
    ["endings/already-played.tsx", "points/points-panel.tsx", "wheel/lazy-parts.ts"].some(
      (module) => reach(phone(module)).has(id),
    ) &&
    !isFirst(id, reach),
});

/** A screen is the part of its route that loads when somebody opens it. */
const routes = path("./web/routes/");
const screens = readdirSync(routes, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".tsx"))
  .map((file) => `${routes}${file}?tsr-split=component`);
const layout = `${routes}_member/_shell.tsx?tsr-split=component`;
const isOffice = (screen: string) => screen.startsWith(`${routes}_member/_shell/`);
const officeScreens = screens.filter(isOffice);
const otherScreens = screens.filter((screen) => screen !== layout && !isOffice(screen));

/** Screens of the back-office that use a module from which on all of them load it. */
const MANY_SCREENS = 11;

/** Screens that show an icon from which on it comes with the others. */
const MANY_USES_OF_AN_ICON = 9;

/** Modules of the ways in and of one's own account alone: a file of its own for each is named in the shell's list. */
const SIGN_IN = new RegExp(
  [
    "/web/features/auth/(auth\\.(copy|schema)|auth-layout|use-captcha|second-factor/second-factor\\.queries)",
    "/web/lib/(auth/(arrival-problem|auth-errors\\.copy|email-draft|knows-passkeys|passkey\\.copy)|use-countdown)",
    "/web/ui/(google-mark|forms/(password-input|code-input))",
    "/icons/(eye-off|fingerprint-pattern|mailbox)\\.",
  ].join("|"),
);

/** One screen less has it. In a file of its own it weighs twice as much, for the largest screen too. */
const missingPage = path("./web/ui/states/missing-page.tsx");

/**
 * Two files that every first load of the application needs: its libraries, which a new release seldom changes,
 * and its own part. Together they compress better than forty of a kilobyte; what a first load does not need, even
 * from the same folder, goes with the screens that do. (A route's own screen is another module, `?tsr-split`.)
 */
const applicationFiles = [
  { name: "libraries", test: /\/node_modules\//, tags: ["$initial" as const] },
  // All but the page itself, which starts them.
  { name: "shell", test: /^(?!.*\/web\/(main\.tsx|app\.html))/, tags: ["$initial" as const] },
  // Code that every screen with a form shares: loaded by the first of them.
  { name: "forms", test: /\/node_modules\/(react-hook-form|@hookform)\// },
  // Rules that forms have for names, addresses and identifiers: each file more would be named in the shell's list.
  {
    name: "names",
    test: /\/domain\/(text\/(new-id|slugify|seen-text)|rules\/email-address)\.ts$/,
  },
  // Kinds, of a hundred bytes each: likewise.
  {
    name: "kinds",
    test: /\/domain\/(rules\/(review-mode|presence-kind)|schemas\/reward-type)\.ts$/,
  },
  // Numbers and amounts as they are written: whoever counts in cents writes them as well.
  { name: "format", test: /\/(web\/lib\/format|domain\/text\/in-cents)\.ts$/ },
  ...chunksByRule({
    // The layout, but the module that the router asks for: in a file of its own each part weighs twice as much.
    parts: (id, reach) => id !== layout && reach(layout).has(id),
    // Dialogs, and the questions before something is lost: parts of one another, which most screens have.
    dialogs: (id) =>
      /\/web\/ui\/((modal|dialog|confirm-dialog)\.tsx|unsaved\/use-(leave|close)-warning)/.test(id),
    // Code that lists and forms of the back-office share, and nobody else: the first screen brings it for all.
    office: (id, reach) =>
      /\/web\/(ui|lib)\/|\/lucide-react\//.test(id) &&
      (id === missingPage ||
        officeScreens.filter((screen) => reach(screen).has(id)).length >= MANY_SCREENS) &&
      !otherScreens.some((screen) => reach(screen).has(id)),
    // Icons of several screens: a file of its own for each is named in the shell's list, and weighs twice as much.
    icons: (id, reach) =>
      id.includes("/lucide-react/") &&
      !reach(layout).has(id) &&
      screens.filter((screen) => reach(screen).has(id)).length >= MANY_USES_OF_AN_ICON,
    // Parts of the settings and their titles, for their pages and the palette.
    settings: (id) => /\/web\/lib\/settings\/settings-parts/.test(id),
    // Parts that every way in shares with the proof that it is oneself.
    "sign-in": (id) => SIGN_IN.test(id),
  }),
];

/**
 * Parts of libraries that no page uses, and that every merchant would load before the first screen
 * (docs/decisions/021). Who needs one takes its line away.
 */
const leftOut = [
  { find: /^\.\/lib\/webauthn$/, replacement: path("./web/lib/left-out/passkeys.ts") },
  {
    find: /^\.\/infiniteQueryBehavior\.js$/,
    replacement: path("./web/lib/left-out/endless-lists.ts"),
  },
  { find: /^\.\/GoTrueAdminApi$/, replacement: path("./web/lib/left-out/administration.ts") },
  { find: /^\.\/lib\/polyfills$/, replacement: path("./web/lib/left-out/global-this.ts") },
  { find: /^\.\/lib\/web3\/ethereum$/, replacement: path("./web/lib/left-out/wallets.ts") },
  { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: path("./web/lib/left-out/icon.ts") },
  // Replacement for a hook that React has had since version 18.
  { find: /^use-sync-external-store\/shim\/(.+)$/, replacement: "use-sync-external-store/$1" },
];

/** Entries of each build, the manifest that it writes, and how it cuts its files. */
const builds = {
  application: {
    input: path("./web/app.html"),
    manifest: true,
    groups: applicationFiles,
  },
  [PHONE]: { input: path("./web/customer.html"), manifest: ".vite/phone.json", groups: phoneFiles },
  [SITE]: {
    input: [
      path("./web/site/landing.ts"),
      path("./web/site/pricing.tsx"),
      path("./web/site/legal.ts"),
      path("./web/site/contact.ts"),
      path("./web/site/status.ts"),
      path("./web/site/clear.ts"),
      path("./web/site/auth.ts"),
    ],
    manifest: ".vite/site.json",
    groups: [],
  },
};

/** The phone pages in another language: the same script with other words. */
const translated = (language: string) => ({
  input: entry,
  manifest: `.vite/${PHONE}-${language}.json`,
  groups: phoneFiles,
});

/**
 * Names with a hash of seven signs, the fewest that the bundler takes for so many files: the shell names every file that
 * comes later, and a hash does not compress.
 */
const FILE_NAMES = {
  entryFileNames: "assets/[name]-[hash:7].js",
  chunkFileNames: "assets/[name]-[hash:7].js",
};

/** Renderers of pages: the phone pages' first steps while the server runs, the public site once, at build. */
const customerRenderer = path("./web/customer/entry-server.tsx");
const serverEntries = {
  "entry-server": customerRenderer,
  "site-server": path("./web/site/entry-server.tsx"),
};

/**
 * One root, three entries that must not share a byte they do not need, hence three builds: the application
 * (`app.html`), in the mode `phone` the customers' pages (`customer.html`), in the mode `site` what wakes the public
 * pages. The latter two are also built for the server (`vite build --ssr`), which renders them.
 */
export default defineConfig(({ command, isSsrBuild, mode }) => {
  const language = TRANSLATED.get(mode);
  const build =
    mode === PHONE || mode === SITE
      ? builds[mode]
      : language === undefined
        ? builds.application
        : translated(language);
  const isApplication = build === builds.application;
  return {
    root: path("./web"),
    publicDir: path("./web/public"),
    resolve: { alias: leftOut },
    // On the server, and while developing, libraries are built without what is left out of them, too.
    ssr: { noExternal: ["@supabase/auth-js", "lucide-react"] },
    plugins: [
      isApplication &&
        tanstackRouter({
          target: "react",
          autoCodeSplitting: true,
          // Queries of loaders, and the schemas of their answers, come with the screen, not with the first load.
          codeSplittingOptions: {
            // The notice of a part that does not load is no part itself.
            defaultBehavior: [["component"], ["loader"], ["notFoundComponent"]],
          },
          routesDirectory: path("./web/routes"),
          generatedRouteTree: path("./web/route-tree.gen.ts"),
        }),
      language !== undefined && [textsIn(language), withoutStyles],
      react(),
      typesetTexts(PAGES),
      // While developing, each language has a server, and with it styles, of its own.
      (language === undefined || command === "serve") && tailwindcss(),
      iconsByFile,
    ],
    build: {
      target: "es2022",
      outDir: path(isSsrBuild ? "./dist/ssr" : "./dist/web"),
      emptyOutDir: isApplication,
      manifest: !isSsrBuild && build.manifest,
      copyPublicDir: !isSsrBuild && isApplication,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: isSsrBuild
        ? {
            input:
              language === undefined
                ? serverEntries
                : { [`entry-server.${language}`]: customerRenderer },
          }
        : {
            input: build.input,
            output: { ...FILE_NAMES, codeSplitting: { groups: build.groups } },
            // Limits that many screens name would each be exported by the layout's file.
            optimization: { inlineConst: true },
          },
    },
  };
});
