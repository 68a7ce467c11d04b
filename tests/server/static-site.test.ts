import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { operatorFile } from "#domain/schemas/operator.ts";
import { FIRST_LANGUAGE, LANGUAGES } from "#domain/text/languages.ts";
import { ensureBuilt } from "../../server/build/ensure-built.ts";
import { ROOT } from "../../server/root.ts";
import { hashesOf } from "../../server/web/inline-hashes.ts";
import { writeStaticSite } from "../../server/web/static-site.ts";
import { temporaryFolder } from "../harness/cluster.ts";

/** The web of a hosted project as `npm run site` writes it; `npm run hosted` opens it in a browser. */

const SITE = "https://avis.exemple.fr";
const PROJECT = "https://projet.exemple.fr";
const COMPANY = 'Roue & "Cie" <SAS>';
let out: string;

beforeAll(async () => {
  const { folder } = await temporaryFolder("tournavis-site-");
  out = join(folder, "static");
  const { dist } = await ensureBuilt({ root: fileURLToPath(ROOT) });
  await writeStaticSite({
    dist,
    out,
    siteUrl: SITE,
    projectUrl: PROJECT,
    publishableKey: "sb_publishable_x",
    operator: operatorFile.parse({ company: COMPANY }),
    google: true,
    captcha: null,
    pushKey: null,
    publicRating: false,
    payments: null,
  });
});

const read = (name: string) => readFile(join(out, name), "utf8");

describe("the folder of a static host", () => {
  it("claims what its operator confirms alone, and sells what can be bought", async () => {
    const page = await read("index.html");
    expect(page).toContain("Ce que vous pouvez vérifier");
    expect(page).not.toContain("500k+");
    expect(page).toContain("Les abonnements ne sont pas ouverts pour le moment");
    expect(await read("pricing.html")).not.toContain("/checkout");
    // Claims stand in the landing page alone.
    for (const name of ["config.json", "app.html", "pricing.html"])
      expect(await read(name)).not.toContain("claims");
  });

  it("leaves no place of a page to fill", async () => {
    const names = await readdir(out, { recursive: true });
    const pages = names.filter((name) => name.endsWith(".html"));
    expect(pages.sort()).toEqual([
      "404.html",
      "app.html",
      "contact.html",
      "customer.html",
      "en-clair.html",
      "index.html",
      "legal/cookies.html",
      "legal/privacy.html",
      "legal/rgpd.html",
      "legal/terms.html",
      "pricing.html",
      "statut.html",
    ]);
    for (const page of pages) expect(await read(page)).not.toContain("{{");
    expect(await read("index.html")).toContain(`href="${SITE}/"`);
    expect(await read("legal/terms.html")).toContain("Roue &amp; &quot;Cie&quot; &lt;SAS&gt;");
    expect(names.filter((name) => /\.(br|gz)$|\.vite/.test(name))).toEqual([]);
  });

  it("answers every address of the application with its page, and no other", async () => {
    const lines = (await read("_redirects")).trim().split("\n");
    const told = Object.fromEntries(lines.map((line) => line.split(/\s+/)));
    expect(told).toMatchObject({
      "/c/*": "/customer",
      "/org/*": "/customer",
      "/auth": "/app",
      "/dashboard": "/app",
      "/campaigns/:campaignId/edit": "/app",
    });
    // Pages of their own are files; of what is left a host says that it is not there.
    for (const path of ["/", "/*", "/pricing", "/legal/terms"])
      expect(told).not.toHaveProperty([path]);
    const names = await readdir(join(out));
    for (const from of Object.keys(told)) expect(names).not.toContain(`${from.slice(1)}.html`);
    expect(await read("404.html")).toContain('<meta name="robots" content="noindex">');
    expect(await read("app.html")).not.toContain("noindex");
  });

  it.each(["app.html", "customer.html", "404.html"])(
    "tells %s where the project is",
    async (name) => {
      expect(await read(name)).toContain(`<html data-project="${PROJECT}" data-operator="{&quot;`);
    },
  );

  it("starts a phone page in each language", async () => {
    const page = await read("customer.html");
    const assets = await readdir(join(out, "assets"));
    for (const language of LANGUAGES.filter((language) => language !== FIRST_LANGUAGE)) {
      const [, scripts = ""] = new RegExp(` data-lang${language}="([^"]+)"`).exec(page) ?? [];
      // Its own script comes first.
      expect(scripts).not.toBe("");
      expect(page).not.toContain(` data-start="${scripts.split(" ")[0]}"`);
      for (const script of scripts.split(" ")) {
        expect(assets).toContain(script.replace("/assets/", ""));
      }
    }
  });

  it("has the configuration of the application", async () => {
    expect(JSON.parse(await read("config.json"))).toMatchObject({
      supabase_url: PROJECT,
      publishable_key: "sb_publishable_x",
      google: true,
      operator: { company: COMPANY },
    });
  });

  it("lets its pages reach the project, and hold what the build has put into them", async () => {
    const policy = /content-security-policy: (.*)/.exec(await read("_headers"))?.[1] ?? "";
    expect(policy).toContain(`connect-src ${PROJECT} ${PROJECT.replace("https", "wss")} 'self'`);
    expect(policy).toContain(`img-src ${PROJECT} 'self'`);
    expect(policy).not.toContain("unsafe-inline");
    for (const page of ["index.html", "pricing.html", "legal/terms.html", "customer.html"]) {
      const { styles, scripts } = hashesOf(await read(page));
      expect(styles.length).toBeGreaterThan(0);
      for (const hash of [...styles, ...scripts]) expect(policy).toContain(hash);
    }
  });
});
