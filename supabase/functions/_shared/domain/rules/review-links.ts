/**
 * Where public reviews are left. A store's link leads to one of these places, or its merchant has confirmed the host
 * (SQL holds the same list in `private.review_platforms`, and a test compares the two).
 */

const ENDINGS = {
  google:
    "be bf bi bj ca cd cf cg ch ci cm co.ma co.uk com de dj dz es fr ga gp ht ie it lu mg ml mu nl pt rw sc sn td tg tn",
  tripadvisor: "at be ca ch co.uk com de es fr ie it nl pt",
  thefork: "be ch co.uk com de es fr it nl pt",
  treatwell: "at be ch co.uk de es fr ie it lt nl pt",
  airbnb: "at be ca ch co.uk com de es fr ie it lu nl pt",
} as const;

function each(domain: keyof typeof ENDINGS, path = ""): string[] {
  return ENDINGS[domain].split(" ").map((ending) => `${domain}.${ending}${path}`);
}

/** Hosts without « www. », some with the path that pages of reviews have there: the rest of them leads anywhere. */
export const REVIEW_PLATFORMS: Readonly<Record<string, readonly string[]>> = {
  Google: [
    "g.page",
    "goo.gl/maps",
    "maps.app.goo.gl",
    "search.google.com/local",
    "share.google",
    ...each("google", "/local"),
    ...each("google", "/maps"),
    ...each("google", "/search"),
    ...each("google").map((domain) => `maps.${domain}`),
  ],
  Airbnb: [...each("airbnb"), "fr.airbnb.be", "fr.airbnb.ca", "fr.airbnb.ch"],
  Apple: ["maps.apple.com"],
  "Avis Vérifiés": ["avis-verifies.com", "verified-reviews.com"],
  Booking: ["booking.com"],
  Custplace: ["custplace.com", "fr.custplace.com"],
  Doctolib: ["doctolib.fr"],
  Expedia: ["expedia.fr", "expedia.com", "hotels.com", "fr.hotels.com"],
  Facebook: ["facebook.com", "fr-fr.facebook.com", "m.facebook.com", "fb.com"],
  Foursquare: ["foursquare.com", "fr.foursquare.com"],
  Fresha: ["fresha.com"],
  "Gîtes de France": ["gites-de-france.com"],
  Houzz: ["houzz.fr", "houzz.com"],
  "Mariages.net": ["mariages.net"],
  Michelin: ["guide.michelin.com"],
  "Opinion System": ["opinionsystem.fr"],
  "Pages Jaunes": ["pagesjaunes.fr"],
  "Petit Futé": ["petitfute.com"],
  Planity: ["planity.com"],
  "Société des Avis Garantis": ["societe-des-avis-garantis.fr"],
  TheFork: [...each("thefork"), "lafourchette.com"],
  Treatwell: each("treatwell"),
  Tripadvisor: [
    ...each("tripadvisor"),
    "de.tripadvisor.ch",
    "fr.tripadvisor.be",
    "fr.tripadvisor.ca",
    "fr.tripadvisor.ch",
    "it.tripadvisor.ch",
  ],
  Trustpilot: [
    "trustpilot.com",
    ...["be", "ca", "ch", "fr", "fr-be", "fr-ca", "fr-ch"].map(
      (place) => `${place}.trustpilot.com`,
    ),
  ],
  Yelp: [
    "yelp.be",
    "yelp.ca",
    "yelp.ch",
    "yelp.com",
    "yelp.fr",
    "fr.yelp.be",
    "fr.yelp.ca",
    "fr.yelp.ch",
    "m.yelp.com",
    "m.yelp.fr",
  ].flatMap((host) => [`${host}/biz`, `${host}/writeareview`]),
};

/** Longest address of a public reviews page, in characters; SQL says the same. */
export const REVIEW_URL_MAX_LENGTH = 2000;

/** Host with a name, without user, port or other characters than an address has; SQL has the same expression. */
const REVIEW_URL =
  /^https:\/\/((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9]))([/?#][!-[\]-~]*)?$/i;

/** Names that lead nowhere, or to one's own network. */
const INNER_NAME = /\.(?:arpa|corp|home|internal|lan|local|localhost|onion)$/;

/** Host of the address of a public reviews page, in lower case; null for what is no such address. */
export function reviewHost(text: string): string | null {
  if (text.length > REVIEW_URL_MAX_LENGTH) return null;
  const host = REVIEW_URL.exec(text)?.[1]?.toLowerCase() ?? "";
  return host === "" || host.length > 253 || INNER_NAME.test(host) ? null : host;
}

const PLACES: ReadonlySet<string> = new Set(Object.values(REVIEW_PLATFORMS).flat());

/** Whether a URL belongs to one of the platforms; others must be confirmed by the person who enters them. */
export function isReviewPage(text: string): boolean {
  const host = reviewHost(text);
  if (host === null) return false;
  const path = /^[^?#]*/.exec(text.slice("https://".length + host.length))?.[0] ?? "";
  // « .. » would lead out of the path.
  if (/(^|\/)(\.|%2e)/i.test(path)) return false;
  const [first = ""] = path.slice(1).split("/");
  const name = host.replace(/^www\./, "");
  return PLACES.has(name) || PLACES.has(`${name}/${first}`);
}

/** Host that the person who enters a URL has to confirm; null for a known platform, and for an invalid URL. */
export function hostToConfirm(text: string): string | null {
  return isReviewPage(text) ? null : reviewHost(text);
}

/** The link to public reviews as the forms of a store hold it. */
type ReviewLink = {
  /** Empty without. */
  url: string;
  /** Host that was confirmed; empty without. */
  confirmedHost: string;
};

/**
 * Problem of a link: no address of a page, or a host that was not confirmed. A link that stays as
 * it was is not checked.
 */
export function reviewLinkProblem(
  { url, confirmedHost }: ReviewLink,
  kept: string | null = null,
): "malformed" | "unconfirmed" | null {
  if (url === "" || url === kept) return null;
  if (reviewHost(url) === null) return "malformed";
  const host = hostToConfirm(url);
  return host === null || host === confirmedHost ? null : "unconfirmed";
}

/** Confirmed host to store: the one of this link, or null. */
export function confirmationOf({ url, confirmedHost }: ReviewLink): string | null {
  return confirmedHost !== "" && hostToConfirm(url) === confirmedHost ? confirmedHost : null;
}
