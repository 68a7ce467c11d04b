import { editDistance } from "../text/edit-distance.ts";

/** Endings under which each large mail provider of the phone pages' six languages gives addresses. */
const PROVIDERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    aol: ["com", "fr"],
    bluewin: ["ch"],
    freenet: ["de"],
    gmail: ["com"],
    googlemail: ["com"],
    hotmail: ["com", "fr", "be", "de", "es", "it", "nl", "co.uk"],
    icloud: ["com"],
    laposte: ["net"],
    libero: ["it"],
    live: ["com", "fr", "be", "de", "es", "it", "nl", "co.uk"],
    numericable: ["fr"],
    orange: ["fr", "es"],
    outlook: ["com", "fr", "be", "de", "es", "it"],
    proton: ["me"],
    protonmail: ["com"],
    skynet: ["be"],
    "t-online": ["de"],
    telenet: ["be"],
    virgilio: ["it"],
    wanadoo: ["fr", "es", "nl"],
    yahoo: ["com", "fr", "de", "es", "it", "co.uk"],
    ziggo: ["nl"],
  }),
);

/** Names of providers so short that one other letter makes another name that people have. */
const SHORT_NAME = 4;

/** Domains of others that are one letter away from a provider's. */
const NEIGHBOURS = ["cloud.com", "email.com", "mail.com", "ymail.com"];

/** Endings that no domain has, and what was meant. */
const MISSPELT_ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cim: "com",
    cmo: "com",
    comm: "com",
    con: "com",
    coom: "com",
    cpm: "com",
    ffr: "fr",
    frr: "fr",
    nett: "net",
    ocm: "com",
    vom: "com",
    xom: "com",
  }),
);

/** Endings that are mistakes behind a provider's name alone: some are those of a country. */
const MISSPELT_PROVIDER_ENDINGS: ReadonlyMap<string, string> = new Map([
  ...MISSPELT_ENDINGS,
  ["cm", "com"],
  ["co", "com"],
  ["fe", "fr"],
  ["ft", "fr"],
  ["om", "com"],
  ["rf", "fr"],
]);

function meantDomain(domain: string): string | null {
  if (NEIGHBOURS.includes(domain)) return null;
  const dot = domain.indexOf(".");
  const [name, ending] = [domain.slice(0, dot), domain.slice(dot + 1)];
  const endings = PROVIDERS.get(name);
  if (endings !== undefined) {
    if (endings.includes(ending)) return null;
    // Where a provider has one ending, every other is a mistake: « gmail.fr ».
    if (["gmail", "googlemail", "icloud"].includes(name)) return `${name}.com`;
    const meant = MISSPELT_PROVIDER_ENDINGS.get(ending);
    return meant !== undefined && endings.includes(meant) ? `${name}.${meant}` : null;
  }
  for (const [provider, its] of PROVIDERS) {
    if (provider.length <= SHORT_NAME || editDistance(name, provider) > 1) continue;
    const meant = MISSPELT_ENDINGS.get(ending) ?? ending;
    if (its.includes(meant)) return `${provider}.${meant}`;
  }
  const last = domain.lastIndexOf(".") + 1;
  const meant = MISSPELT_ENDINGS.get(domain.slice(last));
  return meant === undefined ? null : domain.slice(0, last) + meant;
}

/**
 * The address that a person meant who typed « lea@gmial.com », or null where the domain looks like none that is
 * misspelt. A question to ask and never a refusal: that domain may exist.
 */
export function suggestEmail(address: string): string | null {
  const at = address.lastIndexOf("@") + 1;
  const meant = meantDomain(address.slice(at).toLowerCase());
  return meant === null ? null : address.slice(0, at) + meant;
}
