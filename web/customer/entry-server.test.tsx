import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ClosedCampaign } from "#domain/schemas/closed-campaign.ts";
import type { PublicOrganization } from "#domain/schemas/public-organization.ts";
import { renderPage } from "./entry-server.tsx";
import type { RenderedPage } from "./page-data.ts";
import { makeCampaign } from "./testing/campaign.ts";
import { rulesDocument } from "./testing/rules.ts";

const campaign = makeCampaign();
const closed: ClosedCampaign = {
  state: "ended",
  slug: "demo",
  name: "La roue",
  store: { name: "Café des Lilas", timezone: "Europe/Paris" },
  organization: { name: "Maison Lilas", slug: "maison-lilas" },
  starts_at: null,
  ends_at: "2020-12-24T22:59:59Z",
  was_played: true,
  open_wheels: [],
  white_label: false,
  brand: null,
};
const organization: PublicOrganization = {
  name: "Maison Lilas",
  slug: "maison-lilas",
  white_label: false,
  brand: null,
  campaigns: [
    {
      slug: "demo",
      name: "La roue",
      store_name: "Café des Lilas",
      timezone: "Europe/Paris",
      ends_at: "2026-12-24T22:59:59Z",
    },
  ],
};
const missing: RenderedPage = { kind: "not-found", closed: null };
const pages: RenderedPage[] = [
  { kind: "review", campaign },
  { kind: "play", mode: "review", campaign },
  { kind: "play", mode: "libre", campaign },
  { kind: "play", mode: "test", campaign },
  { kind: "organization", organization },
  {
    kind: "kept",
    campaign_id: "6a1f0000-0000-4000-8000-000000000001",
    slug: "demo",
    store: { name: "Café des Lilas", timezone: "Europe/Paris" },
    white_label: false,
    brand: null,
    pictures: [],
  },
  { kind: "not-found", closed },
  missing,
  { kind: "no-page" },
  rulesDocument(),
];

/** Of no merchant that is known. */
function isNobodys(page: RenderedPage): boolean {
  return page === missing || page.kind === "no-page";
}

/** The brand of a merchant. */
const brand = {
  color: "#ffd400",
  logo: { path: "ours/abc.webp", print_path: "ours/abc-print.webp", width: 384, height: 96 },
};

/** The same page of a merchant who has one. */
function withBrand(page: RenderedPage): RenderedPage {
  switch (page.kind) {
    case "review":
    case "play":
      return { ...page, campaign: { ...page.campaign, white_label: true, brand } };
    case "organization":
      return { ...page, organization: { ...organization, white_label: true, brand } };
    case "rules":
      return { ...page, page: { ...page.page, white_label: true, brand } };
    case "kept":
      return { ...page, white_label: true, brand };
    case "not-found":
      return page.closed === null
        ? page
        : { ...page, closed: { ...closed, white_label: true, brand } };
    case "no-page":
      return page;
  }
}

/** The same page of a merchant whose plan keeps the product's name away. */
function withoutName(page: RenderedPage): RenderedPage {
  switch (page.kind) {
    case "review":
    case "play":
      return { ...page, campaign: { ...page.campaign, white_label: true } };
    case "organization":
      return { ...page, organization: { ...organization, white_label: true } };
    case "rules":
      return { ...page, page: { ...page.page, white_label: true } };
    case "kept":
      return { ...page, white_label: true };
    case "not-found":
      return page.closed === null ? page : { ...page, closed: { ...closed, white_label: true } };
    case "no-page":
      return page;
  }
}

describe("renderPage", () => {
  it.each(pages)("renders $kind $mode without what the security policy forbids", (page) => {
    const { html } = renderPage(page);
    expect(html).not.toMatch(/ style=|<script|<style| on[a-z]+=/);
    expect(html).toContain("<h1");
    // The titles of steps take the focus.
    expect(/<h1[^>]* tabindex="-1"/i.test(html)).toBe(page.kind !== "rules");
    expect(html).toContain('id="steps"');
    // Only a page without its data says that it is on its way.
    expect(html.includes("Chargement")).toBe(page.kind === "kept");
  });

  it.each(pages)("leads from $kind $mode to itself in each other language", (page) => {
    const links = renderPage(page).html.matchAll(/<a href="(\?lang=[^"]*)" lang="(\w+)"/g);
    const found = [...links].map(([, href, language]) => [href, language]);
    expect(found).toEqual(["en", "de", "es", "it", "nl"].map((one) => [`?lang=${one}`, one]));
  });

  it("fills a ring of three segments, one a step, from its top on", () => {
    const { html } = renderPage({ kind: "review", campaign });
    const [ring = ""] = /<svg viewBox="0 0 38 38".*?<\/svg>/.exec(html) ?? [];
    const begins = [...ring.matchAll(/stroke-dashoffset="-([\d.]+)"/g)].map(([, at]) => Number(at));
    expect(begins.map(Math.round)).toEqual([4, 37, 70]);
    expect(ring.match(/stroke-(violet|line)(?=")/g)).toEqual([
      "stroke-violet",
      "stroke-line",
      "stroke-line",
    ]);
  });

  it("wears the colours of the wheel that it is about", () => {
    const colors = ["#111111", "#222222", "#333333", "#444444"];
    const segments = campaign.segments.map((one, at) => ({ ...one, color: colors[at] ?? "" }));
    const worn = (page: RenderedPage) =>
      new Set([...renderPage(page).html.matchAll(/fill="(#\w{6})" class/g)].map(([, one]) => one));
    expect([...worn({ kind: "review", campaign: { ...campaign, segments } })].sort()).toEqual(
      colors,
    );
    expect(worn({ kind: "organization", organization })).not.toContain(colors[0]);
  });

  it.each(pages)(
    "says whose product it is on $kind $mode, unless the merchant's plan is without",
    (page) => {
      expect(renderPage(page).html).toContain('aria-label="tournavis"');
      const { title, html } = renderPage(withoutName(page));
      expect(html.includes('aria-label="tournavis"')).toBe(isNobodys(page));
      expect(title).not.toContain("tournavis");
    },
  );

  it.each(pages.filter((page) => !isNobodys(page)))(
    "shows the merchant's logo and colour on $kind $mode, in the product's place",
    (page) => {
      expect(renderPage(page)).toMatchObject({ style: null });
      expect(renderPage(page).html).not.toContain("data-logo");
      const { html, style } = renderPage(withBrand(page));
      const picture = /<img[^>]*>/.exec(html)?.[0] ?? "";
      expect(picture).toContain('src="/storage/v1/object/public/logos/ours/abc.webp"');
      expect(picture).toContain('width="192" height="48"');
      expect(picture).toMatch(/alt="[^"]+"/);
      expect(html).not.toContain('aria-label="tournavis"');
      expect(style).toMatch(/^html:root\{(--[a-z-]+:#[0-9a-f]{6};?)+\}$/);
    },
  );

  it("tells the last day of a campaign as the clocks of its store have it", () => {
    const page = (timezone: string): RenderedPage => ({
      kind: "organization",
      organization: {
        name: "Maison Lilas",
        slug: "maison-lilas",
        white_label: false,
        brand: null,
        campaigns: [
          {
            slug: "demo",
            name: "La roue",
            store_name: "Fort-de-France",
            timezone,
            ends_at: "2099-12-23T03:59:59Z",
          },
        ],
      },
    });
    expect(renderPage(page("America/Martinique")).html).toContain(
      "Jusqu&#x27;au mardi 22 décembre",
    );
    expect(renderPage(page("Europe/Paris")).html).toContain("Jusqu&#x27;au mercredi 23 décembre");
  });

  it("renders the form of the review page, its consent unticked", () => {
    const { title, html } = renderPage({ kind: "review", campaign });
    expect(title).toBe("Votre avis – Café des Lilas");
    for (const name of ["first_name", "last_name", "email", "phone", "consent_marketing"]) {
      expect(html).toContain(`name="${name}"`);
    }
    expect(html.match(/<input[^>]*consent_marketing[^>]*>/)?.[0]).not.toContain("checked");
    expect(html).toContain('href="/c/demo/play?entry=libre"');
    expect(html).toMatch(/<input[^>]* checked="" value="email"\/>E-mail/);
    expect(html).toMatch(/<input[^>]* value="phone"\/>Téléphone/);
  });

  it("does not let a form be sent to the server before the script is there", () => {
    expect(renderPage({ kind: "review", campaign }).html).not.toContain('type="submit"');
    expect(renderPage({ kind: "play", mode: "libre", campaign }).html).not.toContain(
      'type="submit"',
    );
  });

  it("renders the wheel after a review, and says what stands on it", () => {
    const { html } = renderPage({ kind: "play", mode: "review", campaign });
    expect(html).toContain("Lancer la roue");
    expect(html).toContain("Café offert, Dessert maison offert, 50 points, Pas de chance");
  });

  it.each([
    [[365], "Les points gagnés sont à dépenser dans les 365\u00a0jours qui suivent le gain."],
    [[null], "Les points gagnés n&#x27;expirent pas."],
    [[null, 30], "Le règlement dit, pour chaque lot, jusqu&#x27;à quand ses points se dépensent."],
  ])("says before the spin until when points can be spent: %j", (points_days, sentence) => {
    const withPoints = makeCampaign({ points_days });
    const { html } = renderPage({ kind: "play", mode: "review", campaign: withPoints });
    expect(html.split(sentence)).toHaveLength(2);
    // An end stands there without a tap, above what unfolds.
    const isInFold = html.indexOf("<details") < html.indexOf(sentence);
    expect(isInFold).toBe(points_days.every((days) => days === null));
    expect(renderPage({ kind: "play", mode: "review", campaign }).html).not.toContain(sentence);
  });

  it("says plainly that the test mode is a test", () => {
    expect(renderPage({ kind: "play", mode: "test", campaign }).html).toContain("Mode test");
    expect(renderPage({ kind: "play", mode: "libre", campaign }).html).not.toContain("Mode test");
  });

  it("says that the wheel rests, and asks nobody for a name meanwhile", () => {
    const resting = makeCampaign({ wheel_open: false });
    const review = renderPage({ kind: "review", campaign: resting }).html;
    expect(review).toContain("La roue se repose en ce moment");
    expect(review).not.toContain("entry=libre");
    const free = renderPage({ kind: "play", mode: "libre", campaign: resting }).html;
    expect(free).toContain("La roue se repose en ce moment");
    expect(free).not.toContain("<input");
  });

  it("leads from an organisation to its campaigns, with their last day in France", () => {
    const page = pages.find(({ kind }) => kind === "organization");
    const { html } = renderPage(page ?? missing);
    expect(html).toContain('href="/c/demo/review"');
    expect(html).toContain("jeudi 24 décembre");
  });

  it("answers for a campaign that is not there in the specification's words", () => {
    const { title, html } = renderPage(missing);
    expect(title).toBe("Campagne non trouvée ou inactive");
    expect(html).toContain("Campagne non trouvée ou inactive");
    expect(html).toContain("Réessayer");
  });

  it("says of a closed campaign in the specification's words whose it is, why, and what one can do", () => {
    const page = pages.find((one) => one.kind === "not-found" && one.closed !== null);
    const { html } = renderPage(page ?? missing);
    for (const words of [
      "Campagne non trouvée ou inactive",
      "Réessayer",
      "jeudi 24 décembre 2020",
    ]) {
      expect(html).toContain(words);
    }
    expect(html).toContain("Café des Lilas");
    expect(html).toContain('href="/c/demo/gain"');
  });

  it("answers for an address that no page has in the specification's words, with a way home", () => {
    const { title, html } = renderPage({ kind: "no-page" });
    expect(title).toBe("Page non trouvée");
    expect(html).toContain("Page non trouvée");
    expect(html).toContain('href="/"');
  });

  it("escapes what merchants write", () => {
    const hostile = makeCampaign({ name: "</p><img src=x onerror=alert(1)>" });
    expect(renderPage({ kind: "review", campaign: hostile }).html).not.toContain("<img");
  });
});

describe("the rules of a draw", () => {
  /** All that a reader reads, without the marks around it. */
  const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, "\n").replaceAll(/\n+/g, "\n");

  it("say who, where, when, what, with which odds, and for free", () => {
    const { title, html } = renderPage(rulesDocument());
    expect(title).toBe("Règlement du jeu – Café des Lilas");
    const text = textOf(html);
    for (const words of [
      "Maison Lilas",
      "4 rue des Lilas, 75020 Paris",
      "lundi 5 janvier 2026 à 9\u00a0h\u00a000",
      "jeudi 31 décembre 2026 à 23\u00a0h\u00a059",
      "Aucun achat n'est demandé.",
      "Aucun avis n'est demandé non plus",
      "une fois tous les 7\u00a0jours",
      "2,50\u00a0€",
      "33,33\u00a0%",
      "10\u00a0% de remise",
      "1\u202f000 points",
      "sans limite",
      "ses chances vont aux parts qui ne gagnent rien",
      "Roue & Cie, 1 place du Marché, 69001 Lyon",
    ]) {
      expect(text).toContain(words.replace("&", "&amp;").replaceAll("'", "&#x27;"));
    }
  });

  it("say what is different about a wheel without losing segments, dates, interval or prizes", () => {
    const without = renderPage(
      rulesDocument({
        losing: null,
        starts_at: null,
        ends_at: null,
        play_interval_days: 0,
        timezone: "America/Cayenne",
      }),
    ).html;
    expect(without).toContain("ses chances vont aux autres lots");
    expect(without).toContain("pas de date de fin");
    expect(without).toContain("autant de fois");
    expect(renderPage(rulesDocument({ prizes: [] })).html).toContain(
      "Aucun lot n&#x27;est mis en jeu",
    );
  });

  it("keep their words: whoever changes them makes a new wording", () => {
    const texts = [
      rulesDocument(),
      rulesDocument({ losing: null, ends_at: null, play_interval_days: 0 }),
    ]
      // The switch of the language is no part of the rules.
      .map((page) => textOf(renderPage(page).html.replace(/<details[\s\S]*?<\/details>/, "")))
      .join("\n")
      // Which space stands between figures is up to the release of Node.js.
      .replaceAll(/\s+/g, " ");
    expect(createHash("sha256").update(texts).digest("hex")).toBe(
      "8df4bd07fdff8d7d6fbcc77e18a2f459264eab91aa1522864faae8f58dfddbda",
    );
  });
});
