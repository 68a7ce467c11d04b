import { describe, expect, it } from "vitest";
import { renderPage } from "./entry-server.tsx";
import type { CustomerPage } from "./page-data.ts";
import { makeCampaign } from "./testing/campaign.ts";

const campaign = makeCampaign();
const pages: CustomerPage[] = [
  { kind: "review", campaign },
  { kind: "play", mode: "review", campaign },
  { kind: "play", mode: "libre", campaign },
  { kind: "play", mode: "test", campaign },
  {
    kind: "organization",
    organization: {
      name: "Maison Lilas",
      slug: "maison-lilas",
      campaigns: [
        {
          slug: "demo",
          name: "La roue",
          store_name: "Café des Lilas",
          ends_at: "2026-12-24T22:59:59Z",
        },
      ],
    },
  },
  { kind: "not-found" },
];

describe("renderPage", () => {
  it.each(pages)("paints $kind $mode without what the security policy forbids", (page) => {
    const { html } = renderPage(page);
    expect(html).not.toMatch(/ style=|<script|<style| on[a-z]+=/);
    expect(html).toContain("<h1");
    expect(html).toContain('id="steps"');
  });

  it("paints the form of the review page, its consent unticked", () => {
    const { title, html } = renderPage({ kind: "review", campaign });
    expect(title).toBe("Votre avis – Café des Lilas");
    for (const name of ["first_name", "last_name", "email", "phone", "consent_marketing"]) {
      expect(html).toContain(`name="${name}"`);
    }
    expect(html.match(/<input[^>]*consent_marketing[^>]*>/)?.[0]).not.toContain("checked");
    expect(html).toContain('href="/c/demo/play?entry=libre"');
  });

  it("does not let a form be sent to the server before the script is there", () => {
    expect(renderPage({ kind: "review", campaign }).html).not.toContain('type="submit"');
    expect(renderPage({ kind: "play", mode: "libre", campaign }).html).not.toContain(
      'type="submit"',
    );
  });

  it("paints the wheel after a review, and says what stands on it", () => {
    const { html } = renderPage({ kind: "play", mode: "review", campaign });
    expect(html).toContain("Lancer la roue");
    expect(html).toContain("Café offert, Dessert maison offert, 50 points, Pas de chance");
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
    const { html } = renderPage(page ?? { kind: "not-found" });
    expect(html).toContain('href="/c/demo/review"');
    expect(html).toContain("jeudi 24 décembre");
  });

  it("answers for a campaign that is not there in the specification's words", () => {
    const { title, html } = renderPage({ kind: "not-found" });
    expect(title).toBe("Campagne non trouvée ou inactive");
    expect(html).toContain("Campagne non trouvée ou inactive");
    expect(html).toContain("Réessayer");
  });

  it("escapes what merchants write", () => {
    const hostile = makeCampaign({ name: "</p><img src=x onerror=alert(1)>" });
    expect(renderPage({ kind: "review", campaign: hostile }).html).not.toContain("<img");
  });
});
