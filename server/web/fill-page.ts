import type { Operator } from "#domain/schemas/operator.ts";
import { escapeHtml, escapeJson } from "#domain/text/html.ts";

/** Values of a prerendered page that are unknown until the server starts. */
export type Filling = {
  origin: string;
  operator: Operator;
  /** Ways of signing in that pages ask about before they offer them. */
  offers: {
    google: boolean;
    phone: boolean;
    captcha: boolean;
    contact: boolean;
    /** Whether subscriptions are open. */
    payments: boolean;
  };
  demoSlug: string | null;
  /** The wheel of the demo as HTML; null without one. */
  wheel: string | null;
  /** Claims of the landing page as HTML; null where it shows provable facts. */
  claims: string | null;
  /** Files of the application, for pages that it takes over for members. */
  application: { script: string; style: string | null };
};

/** A part for one case of something that may be missing; the innermost are matched first. */
const CASE =
  /<when-(known|unknown) entry="([a-z_]+)">((?:(?!<when-(?:un)?known )[\s\S])*?)<\/when-\1>/;

/** A place: `{{origin}}` in HTML, `{{json:origin}}` within JSON, `{{html:demo_wheel}}` for HTML of our own making. */
const PLACE = /\{\{(?:(json|html):)?([a-z_]+)\}\}/g;

/** Fills a page that the build has prerendered: every value is escaped for its place (text, attribute or script). */
export function fillPage(template: string, filling: Filling): string {
  const { operator, offers, wheel, claims, demoSlug } = filling;
  const known: Readonly<Record<string, unknown>> = {
    ...operator,
    ...offers,
    demo_wheel: wheel,
    demo_rules: demoSlug,
    claims,
  };
  const isKnown = (entry: string) => known[entry] !== null && known[entry] !== false;
  const text: Readonly<Record<string, string | null>> = {
    ...operator,
    origin: filling.origin,
    demo_href: demoSlug ? `/c/${encodeURIComponent(demoSlug)}/review` : "#roue-essai",
    demo_rules: demoSlug && `/c/${encodeURIComponent(demoSlug)}/reglement`,
  };
  const ownHtml: Readonly<Record<string, string>> = {
    demo_wheel: wheel ?? "",
    claims: claims ?? "",
    site_data: escapeJson(
      JSON.stringify({
        operator,
        application: filling.application,
        payments: offers.payments,
      }),
    ),
  };
  return keepCases(template, isKnown).replace(
    PLACE,
    (_, kind: string | undefined, name: string) => {
      if (kind === "html") return ownHtml[name] ?? "";
      const value = text[name] ?? "";
      return kind === "json" ? escapeJson(JSON.stringify(value).slice(1, -1)) : escapeHtml(value);
    },
  );
}

/** Keeps of each pair of cases the one that holds. */
function keepCases(template: string, isKnown: (entry: string) => boolean): string {
  let page = template;
  for (let match = CASE.exec(page); match; match = CASE.exec(page)) {
    const [whole, which = "", entry = "", content = ""] = match;
    const kept = isKnown(entry) === (which === "known") ? content : "";
    page = page.slice(0, match.index) + kept + page.slice(match.index + whole.length);
  }
  return page;
}
