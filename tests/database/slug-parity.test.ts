import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEmailAddress } from "#domain/rules/email-address.ts";
import { normalizePhone } from "#domain/rules/phone-number.ts";
import { slugify } from "#domain/text/slugify.ts";
import { setUpTestDatabase } from "../harness/database.ts";

/** Pure rules that SQL keeps: each against its twin or against what it promises, over generated inputs. */

const database = setUpTestDatabase();

/** A function of one text over many inputs, in one round trip. */
type Rule = "slugify" | "is_slug" | "is_email" | "normalize_email" | "normalize_phone";

async function inSql(rule: Rule, inputs: string[]): Promise<(string | null)[]> {
  const { sql } = database;
  const rows = await sql<{ output: string | null }[]>`
    select ${sql.unsafe(`private.${rule}(input)::text`)} as output
    from unnest(${inputs}::text[]) with ordinality as u (input, n) order by n`;
  return rows.map(({ output }) => output);
}

/** Any text that PostgreSQL can hold: whole code points, none of them zero. */
const text = fc.string({ unit: "binary" }).map((value) => value.replaceAll("\0", ""));

/** Names that merchants type: French words, ligatures, signs, and letters of other languages. */
const name = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "Café",
        "Œuf",
        "cœur",
        "L'Été",
        "N°5",
        "ÇA",
        "élève",
        "Straße",
        "Łódź",
        "Ærø",
      ),
      fc.constantFrom(" ", "-", "--", "_", "/", "'", "’", "…", "€", "\u00a0", "\t", "é", "e\u0301"),
      fc.string({ unit: "grapheme", maxLength: 6 }).map((value) => value.replaceAll("\0", "")),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

describe("slugs", () => {
  it("are the same in SQL and in the domain", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(name, text), { maxLength: 50 }), async (inputs) => {
        expect(await inSql("slugify", inputs)).toEqual(inputs.map(slugify));
      }),
      { numRuns: 60 },
    );
  });

  it("of any text are slugs, or empty, and their own slugs", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 50 }), async (inputs) => {
        const slugs = inputs.map(slugify).filter((slug) => slug !== "" && slug.length <= 80);
        expect(await inSql("is_slug", slugs)).toEqual(slugs.map(() => "true"));
        expect(await inSql("slugify", slugs)).toEqual(slugs);
      }),
      { numRuns: 30 },
    );
  });

  it("keep French readable", async () => {
    const inputs = ["Crêperie de l'Île", "  Le Bœuf & Cie — Été 2026 !  ", "日本", ""];
    expect(await inSql("slugify", inputs)).toEqual([
      "creperie-de-l-ile",
      "le-boeuf-cie-ete-2026",
      "",
      "",
    ]);
  });
});

const label = fc.stringMatching(/^[a-z0-9]{1,12}$/);

/** A mailbox, and different spellings of it that reach the same person. */
const mailbox = fc
  .record({
    local: fc.stringMatching(/^[a-z0-9]{1,8}(\.[a-z0-9]{1,8}){0,2}$/),
    domain: fc.oneof(
      fc.constantFrom("gmail.com", "googlemail.com", "exemple.fr", "orange.fr"),
      fc.tuple(label, label).map(([first, second]) => `${first}.${second}`),
    ),
    tag: fc.option(fc.stringMatching(/^[a-z0-9+.]{0,8}$/), { nil: null }),
    isUpperCase: fc.boolean(),
    isPadded: fc.boolean(),
    withoutDots: fc.boolean(),
    isGooglemail: fc.boolean(),
  })
  .map(({ local, domain, tag, isUpperCase, isPadded, withoutDots, isGooglemail }) => {
    const isGmail = domain === "gmail.com" || domain === "googlemail.com";
    const spelledLocal = isGmail && withoutDots ? local.replaceAll(".", "") : local;
    const spelledDomain = isGmail ? (isGooglemail ? "googlemail.com" : "gmail.com") : domain;
    const address = `${spelledLocal}${tag === null ? "" : `+${tag}`}@${spelledDomain}`;
    const cased = isUpperCase ? address.toUpperCase() : address;
    return { plain: `${local}@${domain}`, spelled: isPadded ? `  ${cased} ` : cased };
  });

/** Nearly an address: each part is sometimes what no address may have there. */
const nearlyAddress = fc
  .tuple(
    fc.constantFrom("", "", "", "", "<", " ", "mailto:", "."),
    fc.stringMatching(/^[a-zA-Z0-9.+_'-]{1,12}$/),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant("") },
      fc.constantFrom("é", "%0a", "!", '"', ",", "\u212a", "x".repeat(60), "/=?^`{|}~#$&*"),
    ),
    fc.constantFrom("@", "@", "@", "@", "", "@@", " @"),
    fc.stringMatching(/^[a-zA-Z0-9.-]{1,12}$/),
    fc.constantFrom(
      ".fr",
      ".fr",
      ".fr",
      ".f",
      ".f1",
      ".xn--p1ai",
      ".xn--a-",
      ".été",
      "",
      `.${"b".repeat(64)}`,
    ),
    fc.constantFrom(
      "",
      "",
      "",
      "",
      ">",
      ";",
      ".",
      ",",
      "\n",
      "\u0085",
      "%0aBcc:x@y.fr",
      "\r\nBcc: x@y.fr",
      " ",
    ),
  )
  .map((parts) => parts.join(""));

describe("what an e-mail address is", () => {
  it("is the same in SQL and in the domain", async () => {
    const longest = `${"a".repeat(64)}@${"b.".repeat(93)}fr`;
    const examples = [longest, `a${longest}`, longest.replace("@", "@b."), "", "@", "a@b"];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(nearlyAddress, fc.emailAddress(), text), { maxLength: 100 }),
        async (inputs) => {
          const expected = inputs.map((input) => String(isEmailAddress(input)));
          expect(await inSql("is_email", inputs)).toEqual(expected);
        },
      ),
      { numRuns: 60, examples: [[examples]] },
    );
  });
});

describe("e-mail addresses", () => {
  it("of one mailbox have one normal form", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(mailbox, { minLength: 1, maxLength: 50 }), async (mailboxes) => {
        const plain = await inSql(
          "normalize_email",
          mailboxes.map((each) => each.plain),
        );
        const spelled = await inSql(
          "normalize_email",
          mailboxes.map((each) => each.spelled),
        );
        expect(spelled).toEqual(plain);
      }),
      { numRuns: 60 },
    );
  });

  it("in their normal form stay as they are", async () => {
    const address = fc.oneof(
      mailbox.map(({ spelled }) => spelled),
      fc.emailAddress(),
      fc.tuple(text, text).map(([local, domain]) => `${local}@${domain}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(address, { minLength: 1, maxLength: 50 }), async (addresses) => {
        const once = await inSql("normalize_email", addresses);
        const present = once.filter((value) => value !== null);
        expect(await inSql("normalize_email", present)).toEqual(present);
      }),
      { numRuns: 60 },
    );
  });

  it("of two mailboxes have two", async () => {
    const addresses = ["a.b@exemple.fr", "ab@exemple.fr", "ab@gmail.com", "ab@gmail.fr", "+x@a.fr"];
    expect(new Set(await inSql("normalize_email", addresses)).size).toBe(addresses.length);
    expect(await inSql("normalize_email", ["", "   "])).toEqual([null, null]);
  });
});

/** The nine digits of a French number after the trunk zero, and ways to write them. */
const frenchNumber = fc
  .record({
    digits: fc.stringMatching(/^[1-9][0-9]{8}$/),
    prefix: fc.constantFrom(
      "0",
      "+33",
      "0033",
      "+33 (0)",
      "+33(0)",
      "0033 (0)",
      "+33 ",
      "(0)",
      "+33-",
      "33",
      "33 ",
      "33 (0)",
      "(+33) ",
      "(+33)(0)",
      "+330",
      "0033 ( 0 ) ",
      "00330",
    ),
    separator: fc.constantFrom("", " ", "-"),
    isPadded: fc.boolean(),
  })
  .map(({ digits, prefix, separator, isPadded }) => {
    const pairs = digits.match(/^.|..(?=(..)*$)/g) ?? [];
    const written = `${prefix}${pairs.join(separator)}`;
    return { plain: `+33${digits}`, spelled: isPadded ? ` ${written} ` : written };
  });

describe("phone numbers", () => {
  it("of one French line have one normal form", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frenchNumber, { minLength: 1, maxLength: 50 }), async (numbers) => {
        const spelled = await inSql(
          "normalize_phone",
          numbers.map((each) => each.spelled),
        );
        expect(spelled).toEqual(numbers.map(({ plain }) => plain));
      }),
      { numRuns: 60 },
    );
  });

  it("have one normal form in SQL and in the domain, which stays as it is", async () => {
    const number = fc.oneof(
      fc.stringMatching(/^[0-9 ()+-]{1,32}$/),
      fc.stringMatching(/^ ?[(+0]{0,4}3{0,3}[ (0)]{0,5}[1-9][0-9 -]{7,9}$/),
      frenchNumber.map(({ spelled }) => spelled),
      text,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 50 }), async (numbers) => {
        const once = await inSql("normalize_phone", numbers);
        expect(once).toEqual(numbers.map(normalizePhone));
        const present = once.filter((value) => value !== null);
        expect(await inSql("normalize_phone", present)).toEqual(present);
      }),
      // Met by chance before: a prefix with nothing behind it, and zeros that hide another prefix.
      { numRuns: 60, examples: [[["00)", "0000000000", "+0033 612345678"]]] },
    );
  });

  it("of two lines have two, and no digit has none", async () => {
    const numbers = [
      "06 12 34 56 78",
      "06 12 34 56 79",
      "+32 6 12 34 56 78",
      "+1 612-345-678",
      "+39 06 12 34 56 78",
      "612345678",
    ];
    expect(new Set(await inSql("normalize_phone", numbers)).size).toBe(numbers.length);
    expect(await inSql("normalize_phone", ["", "()-+"])).toEqual([null, null]);
  });
});
