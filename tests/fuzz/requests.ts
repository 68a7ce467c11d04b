import fc, { type Arbitrary } from "fast-check";
import type { Catalog, Field, Relation } from "./catalog.ts";

/**
 * Sender of a request: with nothing, with the public key alone, with a session, or with a key of an
 * organisation.
 */
const WHO = [
  "nobody",
  "visitor",
  "member",
  "owner",
  "cashier",
  "stranger",
  "read key",
  "till key",
] as const;
export type Who = (typeof WHO)[number];

const SURFACES = ["functions", "data", "auth", "storage", "pages"] as const;
export type Surface = (typeof SURFACES)[number];

/** A request before it is sent: `$name$` stands for something of the world that it meets (`world.ts`). */
export type BadRequest = {
  surface: Surface;
  who: Who;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
};

/** Values that programs stumble over. */
const NASTY: readonly unknown[] = [
  null,
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\u202e\u0007",
  "e\u0301\u{1f950}",
  "x".repeat(5_000),
  -1,
  0,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  -1e308,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  [{}],
  { "": "" },
  { length: 3 },
  { toString: null },
  "NaN",
  "Infinity",
  "null",
  "true",
  "1e400",
  "0x10",
  "٣",
  "{",
  "{}",
  "{a,b",
  "(,)",
  "[1,",
  "'; drop table stores; --",
  "%",
  "%_%",
  "\\",
  "\\x",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "http://127.0.0.1:1/",
  "2026-02-30",
  "0000-01-01",
  "infinity",
  "-infinity",
  "0001-01-01 BC",
  "294277-01-01T00:00:00Z",
  "24:00:61",
  "Europe/Nowhere",
  "not-a-uuid",
  "00000000-0000-0000-0000-000000000000",
  "$campaign$",
  "$foreignCampaign$",
  "$foreignOrganization$",
  "$foreignStore$",
  "$foreignCustomer$",
];

const nasty: Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
);

/** A value of a column's type, or an invalid one. */
function typedValue({ name, type }: Field): Arbitrary<unknown> {
  const good: unknown[] = [];
  if (type === "uuid") {
    good.push("$campaign$", "$store$", "$reward$", "$customer$", "$organization$", "$spin$");
    good.push("$foreignCampaign$", "$foreignOrganization$", "$foreignStore$", "$foreignCustomer$");
    const own = name.replace(/^p_/, "").replace(/_id$/, "");
    if (own === "org") good.push("$organization$", "$organization$", "$organization$");
    if (["campaign", "store", "reward", "customer"].includes(own))
      good.push(`$${own}$`, `$${own}$`);
  } else if (/int|numeric|double|real/.test(type)) {
    good.push(1, 7, 100, -1, 2 ** 31 - 1, 2 ** 31, "1");
  } else if (type === "boolean") good.push(true, false);
  else if (/timestamp|date/.test(type)) good.push("2026-01-01", "2026-01-01T12:00:00Z", "now");
  else if (/json/.test(type)) good.push({}, [], [{}], { a: 1 }, "x", [1, "a", null]);
  else if (type.endsWith("[]")) good.push([], ["a"], ["$campaign$"], [1], "{}");
  else good.push("texte", "gift", "owner", "Europe/Paris", "2026-01", "demo", "compliant");
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...good) },
    { weight: 2, arbitrary: nasty },
  );
}

/** One place of a value of JSON replaced, taken away or added. */
function spoilt(template: Readonly<Record<string, unknown>>): Arbitrary<unknown> {
  const names = Object.keys(template);
  const one = fc.record({
    name: names.length === 0 ? fc.constant("x") : fc.constantFrom(...names),
    inner: fc.boolean(),
    how: fc.constantFrom("replace", "replace", "replace", "remove", "add", "wrap"),
    value: nasty,
  });
  return fc.array(one, { minLength: 0, maxLength: 3 }).map((changes) => {
    let spoiltValue: Record<string, unknown> = structuredClone({ ...template });
    for (const { name, inner, how, value } of changes) {
      const within = spoiltValue[name];
      if (inner && typeof within === "object" && within !== null && !Array.isArray(within)) {
        const keys = Object.keys(within);
        const key = keys[name.length % Math.max(keys.length, 1)] ?? "x";
        spoiltValue[name] = { ...within, [how === "add" ? "unknown" : key]: value };
      } else if (how === "replace") spoiltValue[name] = value;
      else if (how === "remove") {
        const { [name]: _gone, ...rest } = spoiltValue;
        spoiltValue = rest;
      } else if (how === "add") spoiltValue[`${name}_`] = value;
      else spoiltValue[name] = [spoiltValue[name]];
    }
    return spoiltValue;
  });
}

/** JSON made invalid, or a body of another type. */
const brokenText = fc.constantFrom(
  "",
  "{",
  "[",
  '{"a":',
  "null",
  "[]",
  '"text"',
  "1e999",
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"a":1,"a":2}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  "\ufeff{}",
  "a=1&b=2",
  "[".repeat(5_000),
  `{"x":"${"y".repeat(70_000)}"}`,
);

function textOf(body: Arbitrary<unknown>): Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: body.map((value) => JSON.stringify(value) ?? "") },
    { weight: 1, arbitrary: brokenText },
  );
}

const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant("application/json") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "text/plain",
      "text/csv",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json; charset=utf-16",
      "application/octet-stream",
      "nonsense",
      "",
    ),
  },
);

const junkHeaders: Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom(
    "accept",
    "accept-encoding",
    "accept-language",
    "range",
    "if-none-match",
    "if-modified-since",
    "origin",
    "cookie",
    "x-client-info",
    "x-forwarded-proto",
    "x-http-method-override",
  ),
  fc.constantFrom(
    "",
    "*",
    "*/*",
    "text/html",
    "bytes=0-",
    "bytes=9-1",
    "0-1",
    ";;;",
    "q=2",
    "\u00e9",
    "null",
  ),
  { maxKeys: 2 },
);

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const oddMethod = fc.constantFrom(...METHODS, "TRACE", "PROPFIND", "SEARCH", "REPORT");

/** Mostly a given method. */
function mostly(method: string): Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(method) },
    { weight: 1, arbitrary: oddMethod },
  );
}

const who = fc.constantFrom(...WHO);

const FUNCTIONS: readonly [name: string, method: string, template: Record<string, unknown>][] = [
  ["campaign", "GET", {}],
  ["campaign_rules", "GET", {}],
  ["scan", "POST", { slug: "$slug$", source: "qr" }],
  [
    "review_record",
    "POST",
    {
      campaign_id: "$campaign$",
      visit_id: "$new$",
      end_user: { first_name: "Ana", last_name: "Petit", email: "ana-$new$@exemple.fr" },
      rating: 4,
    },
  ],
  ["review_record", "POST", { review_id: "$review$", feedback: "Un peu long." }],
  ["public_review_click", "POST", { review_id: "$review$", campaign_id: "$campaign$" }],
  [
    "spin_wheel",
    "POST",
    {
      campaign_id: "$campaign$",
      play_id: "$new$",
      contact: { name: "Ana Petit", email: "ana-$new$@exemple.fr" },
      device_fp: "ab".repeat(32),
    },
  ],
  [
    "spin_wheel",
    "POST",
    { campaign_id: "$campaign$", review_id: "$review$", device_fp: "cd".repeat(32) },
  ],
  ["presence", "POST", { campaign_id: "$campaign$", proof: "123 456", device_fp: "cd".repeat(32) }],
  ["prize_status", "POST", { campaign_id: "$campaign$", spin_id: "$spin$", nonce: "$nonce$" }],
  [
    "mail_prize",
    "POST",
    { campaign_id: "$campaign$", spin_id: "$spin$", nonce: "$nonce$", email: "a@exemple.fr" },
  ],
  [
    "points_wallet",
    "POST",
    { campaign_id: "$campaign$", proofs: [{ spin_id: "$spin$", nonce: "$nonce$" }] },
  ],
  [
    "spend_points",
    "POST",
    {
      campaign_id: "$campaign$",
      proofs: [{ spin_id: "$spin$", nonce: "$nonce$" }],
      reward_id: "$new$",
      cost: 10,
      request_id: "$new$",
    },
  ],
  ["redeem", "POST", { code: "$code$", store_id: "$store$" }],
  ["redeem", "POST", { code: "$code$", store_id: "$store$", request_id: "$new$" }],
  ["redeem", "POST", { code: "$code$", store_id: "$foreignStore$" }],
  ["api-token", "POST", {}],
  ["exports-csv", "POST", { org_id: "$organization$", type: "customers", filters: {} }],
  ["exports-csv", "POST", { org_id: "$organization$", type: "reviews", filters: {} }],
  ["exports-csv", "POST", { org_id: "$organization$", type: "campaigns", filters: {} }],
  ["monthly-report", "POST", { org_id: "$organization$", month: "2026-10-01" }],
  ["public-rating", "POST", { store_id: "$store$" }],
  ["invitation", "POST", { token: "invitation" }],
  [
    "checkout",
    "POST",
    {
      price_id: "price_basic_monthly",
      org_id: "$organization$",
      success_url: "http://localhost/",
      cancel_url: "http://localhost/",
    },
  ],
  [
    "update-subscription",
    "POST",
    { price_id: "price_pro_yearly", org_id: "$organization$", subscription_id: "sub_1" },
  ],
  ["billing-portal", "POST", { customer_id: "cus_1" }],
  ["create-test-customer", "POST", { email: "a@exemple.fr", name: "Ana" }],
  ["stripe-webhook", "POST", { id: "evt_1", type: "customer.subscription.updated", data: {} }],
  ["export-organization", "POST", { org_id: "$organization$" }],
  ["brand_logo", "POST", { org_id: "$organization$", upload: null }],
  ["unsubscribe", "POST", {}],
  ["consent", "POST", { token: "consent" }],
  ["status", "GET", {}],
  [
    "contact",
    "POST",
    {
      request_id: "$new$",
      topic: "question",
      name: "Ana",
      email: "ana-$new$@exemple.fr",
      message: "Bonjour, une question.",
    },
  ],
  ["nothing", "POST", {}],
];

const junkWord = fc.oneof(
  fc.constantFrom(
    "%",
    "%00",
    "%ff%fe",
    "%2e%2e%2f",
    "..",
    ".",
    "a%2Fb",
    "é",
    "%E2%80%AE",
    "constructor",
    "__proto__",
    "(",
    ")",
    "*",
    "a,b",
    "null",
    "-1",
    "x".repeat(300),
    "$slug$",
    "$campaign$",
    "",
  ),
  fc.string({ unit: "binary-ascii", maxLength: 12 }),
);

const functionRequest = fc.constantFrom(...FUNCTIONS).chain(([name, method, template]) =>
  fc.record({
    surface: fc.constant<Surface>("functions"),
    who,
    method: mostly(method),
    path: fc
      .tuple(
        fc.constantFrom("slug", "token", "kind", "at", "version", "campaign"),
        junkWord,
        fc.boolean(),
      )
      .map(([key, value, has]) =>
        has || method === "GET" ? `/functions/v1/${name}?${key}=${value}` : `/functions/v1/${name}`,
      ),
    headers: fc
      .tuple(contentType, junkHeaders)
      .map(([type, junk]) => ({ ...junk, "content-type": type })),
    body: method === "GET" ? fc.constant(null) : textOf(spoilt(template)),
  }),
);

const OPERATORS = [
  "eq",
  "neq",
  "gt",
  "gte",
  "lt",
  "lte",
  "like",
  "ilike",
  "match",
  "imatch",
  "in",
  "is",
  "isdistinct",
  "fts",
  "plfts",
  "phfts",
  "wfts(french)",
  "fts(nowhere)",
  "cs",
  "cd",
  "ov",
  "sl",
  "sr",
  "nxr",
  "nxl",
  "adj",
  "not.eq",
  "not.is",
  "not.in",
  "not",
  "eq(any)",
  "like(all)",
  "in(any)",
  "nonsense",
  "",
];

function filterValue(field: Field): Arbitrary<string> {
  const plain = typedValue(field).map((value) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
  return fc.oneof(
    plain,
    plain.map((value) => `(${value})`),
    plain.map((value) => `{${value}}`),
    plain.map((value) => `("${value}",)`),
    fc.constantFrom(
      "null",
      "true",
      "unknown",
      "not_null",
      "()",
      "(",
      "(a",
      '("',
      "[1,2)",
      "{}",
      "*",
    ),
  );
}

/** Column, as a filter or a list of columns may name it. */
function columnName({ fields }: Relation): Arbitrary<string> {
  const known = fc.constantFrom(...fields.map(({ name }) => name), "id");
  return fc.oneof(
    { weight: 8, arbitrary: known },
    {
      weight: 2,
      arbitrary: known.chain((name) =>
        fc.constantFrom(
          `${name}->a`,
          `${name}->>0`,
          `${name}->>`,
          `${name}::text`,
          `${name}::nonsense`,
          `${name}::`,
          `a:${name}`,
          `${name}.sum()`,
          `${name}.max()::text`,
          `"${name}`,
        ),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "count()",
        "*",
        "",
        ",",
        "(",
        "a(b",
        "ctid",
        "xmin",
        "é",
        '"',
        "->",
        "::",
      ),
    },
  );
}

const escaped = (text: string) =>
  encodeURIComponent(Buffer.from(text).toString()).replace(/%24/g, "$");

function queryOf(relation: Relation, catalog: Catalog): Arbitrary<string> {
  const column = columnName(relation);
  const other = fc.constantFrom(...catalog.relations.map(({ name }) => name));
  const item = fc.oneof(
    { weight: 4, arbitrary: column },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          other,
          fc.constantFrom("", "!inner", "!left", "!nonsense", "!campaign_id"),
          fc.constantFrom("", "...", "alias:"),
          fc.constantFrom("*", "id", "", "id,*", "count()", "organizations(id)", "nothing"),
        )
        .map(([name, hint, before, within]) => `${before}${name}${hint}(${within})`),
    },
  );
  const field = fc.constantFrom(...relation.fields);
  const condition = field.chain((chosen) =>
    fc
      .tuple(fc.constantFrom(...OPERATORS), filterValue(chosen), column)
      .map(
        ([operator, value, odd]) =>
          [value.length % 4 === 0 ? odd : chosen.name, `${operator}.${value}`] as const,
      ),
  );
  const part = fc.oneof(
    {
      weight: 4,
      arbitrary: condition.map(([name, value]) => `${escaped(name)}=${escaped(value)}`),
    },
    {
      weight: 3,
      arbitrary: fc
        .array(item, { maxLength: 4 })
        .map((items) => `select=${escaped(items.join(","))}`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom("or", "and", "not.or", "nor"), fc.array(condition, { maxLength: 3 }))
        .map(
          ([name, all]) =>
            `${name}=${escaped(`(${all.map(([key, value]) => `${key}.${value}`).join(",")})`)}`,
        ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(column, fc.constantFrom("", ".asc", ".desc.nullsfirst", ".up", ".desc.nonsense"))
        .map(([name, way]) => `order=${escaped(name + way)}`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom("limit", "offset", "columns", "on_conflict"),
          fc.oneof(
            column,
            fc.constantFrom("0", "-1", "1", "1e3", "99999999999999999999", "abc", ""),
          ),
        )
        .map(([name, value]) => `${name}=${escaped(value)}`),
    },
  );
  return fc.array(part, { maxLength: 4 }).map((parts) => parts.join("&"));
}

const dataHeaders: Arbitrary<Record<string, string>> = fc
  .tuple(
    junkHeaders,
    contentType,
    fc.constantFrom(
      "",
      "return=representation",
      "return=minimal",
      "return=headers-only",
      "count=exact",
      "count=planned",
      "count=nonsense",
      "resolution=merge-duplicates",
      "resolution=ignore-duplicates,return=representation",
      "missing=default",
      "tx=rollback",
      "handling=strict,nonsense",
      "handling=strict,max-affected=1",
      "timezone=Nowhere",
      "params=single-object",
      ",,=",
    ),
    fc.constantFrom(
      "",
      "",
      "application/json",
      "text/csv",
      "application/vnd.pgrst.object+json",
      "application/vnd.pgrst.array+json;nulls=stripped",
      "application/vnd.pgrst.plan",
      "application/geo+json",
      "text/xml",
      "nonsense",
    ),
    fc.constantFrom("", "", "", "", "public", "private", "auth", "storage", "pg_catalog", "é"),
    fc.constantFrom("", "", "", "0-0", "5-1", "items=0-1", "-1", "0-99999999999999999999"),
  )
  .map(([junk, type, prefer, accept, profile, range]) => ({
    ...junk,
    "content-type": type,
    ...(prefer !== "" && { prefer }),
    ...(accept !== "" && { accept }),
    ...(profile !== "" && { "accept-profile": profile, "content-profile": profile }),
    ...(range !== "" && { range, "range-unit": "items" }),
  }));

function rowOf({ fields }: Relation): Arbitrary<Record<string, unknown>> {
  return fc
    .uniqueArray(
      fc
        .constantFrom(...fields)
        .chain((field) => fc.tuple(fc.constant(field.name), typedValue(field))),
      { maxLength: 5, selector: ([name]) => name },
    )
    .map((entries) => Object.fromEntries(entries));
}

function tableRequest(catalog: Catalog): Arbitrary<BadRequest> {
  return fc.constantFrom(...catalog.relations).chain((relation) => {
    const row = rowOf(relation);
    const body = textOf(
      fc.oneof({ weight: 3, arbitrary: row }, fc.array(row, { maxLength: 3 }), nasty),
    );
    return fc.constantFrom("GET", "GET", "POST", "PATCH", "PUT", "DELETE", "HEAD").chain((method) =>
      fc.record({
        surface: fc.constant<Surface>("data"),
        who,
        method: mostly(method),
        path: fc
          .tuple(
            fc.oneof(
              { weight: 20, arbitrary: fc.constant(relation.name) },
              { weight: 1, arbitrary: junkWord },
            ),
            queryOf(relation, catalog),
          )
          .map(([name, query]) => `/rest/v1/${name}?${query}`),
        headers: dataHeaders,
        body: method === "GET" || method === "HEAD" ? fc.constant(null) : body,
      }),
    );
  });
}

function callRequest(catalog: Catalog): Arbitrary<BadRequest> {
  return fc.constantFrom(...catalog.functions).chain((called) => {
    const named = fc.record(
      Object.fromEntries(called.fields.map((field) => [field.name, typedValue(field)])),
    );
    const args = fc.oneof({ weight: 4, arbitrary: named }, named.chain(spoilt));
    return fc.record({
      surface: fc.constant<Surface>("data"),
      who,
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constant("POST") },
        { weight: 2, arbitrary: oddMethod },
      ),
      path: fc
        .tuple(
          fc.oneof(
            { weight: 20, arbitrary: fc.constant(called.name) },
            { weight: 1, arbitrary: junkWord },
          ),
          fc.oneof(
            { weight: 6, arbitrary: fc.constant("") },
            {
              weight: 1,
              arbitrary: args.map((value) =>
                Object.entries(Object(value))
                  .map(
                    ([name, given]) => `${escaped(name)}=${escaped(String(JSON.stringify(given)))}`,
                  )
                  .join("&"),
              ),
            },
            {
              weight: 1,
              arbitrary: fc.constantFrom("select=id", "select=(", "order=x", "limit=-1", "id=eq.1"),
            },
          ),
        )
        .map(([name, query]) => `/rest/v1/rpc/${name}${query === "" ? "" : `?${query}`}`),
      headers: dataHeaders,
      body: textOf(args),
    });
  });
}

const AUTH: readonly [method: string, path: string, template: Record<string, unknown>][] = [
  [
    "POST",
    "/signup",
    { email: "nouveau-$new$@exemple.fr", password: "un-long-mot-de-passe-1", data: {} },
  ],
  ["POST", "/token?grant_type=password", { email: "$ownerEmail$", password: "faux-mot-de-passe" }],
  ["POST", "/token?grant_type=refresh_token", { refresh_token: "abcdefghijkl" }],
  ["POST", "/token?grant_type=pkce", { auth_code: "$new$", code_verifier: "v".repeat(43) }],
  ["POST", "/token?grant_type=id_token", { provider: "google", id_token: "a.b.c", nonce: "n" }],
  ["POST", "/token?grant_type=web3", { chain: "ethereum", message: "m", signature: "s" }],
  ["POST", "/recover", { email: "personne-$new$@exemple.fr", code_challenge: "c" }],
  ["POST", "/otp", { email: "personne-$new$@exemple.fr", create_user: false }],
  ["POST", "/otp", { phone: "+33612345678", create_user: false }],
  ["POST", "/resend", { type: "signup", email: "personne-$new$@exemple.fr" }],
  ["POST", "/verify", { type: "email", token: "123456", email: "$ownerEmail$" }],
  ["POST", "/verify", { type: "recovery", token_hash: "pkce_$new$" }],
  ["GET", "/verify?type=signup&token=abc&redirect_to=http://evil.example/", {}],
  ["GET", "/authorize?provider=google&redirect_to=http://localhost/", {}],
  ["GET", "/callback?state=abc&code=def", {}],
  ["GET", "/user", {}],
  ["PUT", "/user", { data: { full_name: "Ana" }, nonce: "123456" }],
  ["PUT", "/user", { password: "court", current_password: "faux" }],
  ["PUT", "/user", { email: "pas-une-adresse" }],
  ["POST", "/logout?scope=nowhere", {}],
  ["GET", "/reauthenticate", {}],
  ["POST", "/factors", { factor_type: "totp", friendly_name: "x", issuer: "y" }],
  ["POST", "/factors/$campaign$/challenge", {}],
  ["POST", "/factors/$campaign$/verify", { challenge_id: "$new$", code: "123456" }],
  ["DELETE", "/factors/$campaign$", {}],
  ["POST", "/passkeys/authentication/options", {}],
  ["POST", "/passkeys/authentication/verify", { challenge_id: "$new$", credential: { id: "x" } }],
  ["POST", "/passkeys/registration/options", {}],
  ["POST", "/passkeys/registration/verify", { challenge_id: "$new$", credential: { id: "x" } }],
  ["GET", "/passkeys", {}],
  ["PATCH", "/passkeys/$campaign$", { friendly_name: "x" }],
  ["DELETE", "/passkeys/$campaign$", {}],
  ["DELETE", "/user/identities/$campaign$", {}],
  ["GET", "/settings", {}],
  ["GET", "/health", {}],
  ["GET", "/.well-known/jwks.json", {}],
  ["POST", "/sso", { domain: "exemple.fr" }],
  ["GET", "/admin/users", {}],
  ["POST", "/admin/generate_link", { type: "recovery", email: "$ownerEmail$" }],
  ["POST", "/invite", { email: "$ownerEmail$" }],
];

const authRequest = fc.constantFrom(...AUTH).chain(([method, path, template]) =>
  fc.record({
    surface: fc.constant<Surface>("auth"),
    who,
    method: mostly(method),
    path: fc
      .tuple(
        fc.oneof(
          { weight: 6, arbitrary: fc.constant("") },
          fc.constantFrom("redirect_to", "type", "x"),
        ),
        junkWord,
      )
      .map(
        ([key, word]) =>
          `/auth/v1${path}${key === "" ? "" : `${path.includes("?") ? "&" : "?"}${key}=${word}`}`,
      ),
    headers: fc
      .tuple(contentType, junkHeaders)
      .map(([type, junk]) => ({ ...junk, "content-type": type })),
    body: method === "GET" ? fc.constant(null) : textOf(spoilt(template)),
  }),
);

const storagePath = fc.oneof(
  fc.constantFrom(
    "/object/logos/$organization$/$new$",
    "/object/logos/$foreignOrganization$/$new$",
    "/object/logo-uploads/$organization$/$new$",
    "/object/logo-uploads/$foreignOrganization$/$new$",
    "/object/public/logos/$organization$/0123456789abcdef0123456789abcdef.webp",
    "/object/list/brand",
    "/object/sign/brand/x",
    "/object/upload/sign/brand/x",
    "/object/move",
    "/object/copy",
    "/bucket",
    "/bucket/brand",
    "/render/image/public/brand/x",
    "/upload/resumable",
    "/s3/brand/x",
    "/",
  ),
  fc.array(junkWord, { maxLength: 4 }).map((words) => `/object/${words.join("/")}`),
);

const storageRequest = fc.record({
  surface: fc.constant<Surface>("storage"),
  who,
  method: fc.oneof({ weight: 3, arbitrary: fc.constant("POST") }, oddMethod),
  path: storagePath.map((path) => `/storage/v1${path}`),
  headers: fc
    .tuple(
      fc.constantFrom(
        "image/png",
        "image/svg+xml",
        "text/html",
        "multipart/form-data; boundary=x",
        "",
      ),
      fc.constantFrom("", "true", "nonsense"),
      junkHeaders,
    )
    .map(([type, upsert, junk]) => ({ ...junk, "content-type": type, "x-upsert": upsert })),
  body: fc.oneof(
    fc.constantFrom("", "\u0089PNG\r\n", "<svg onload='x'/>", "GIF89a", '{"prefix":"","limit":-1}'),
    brokenText,
  ),
});

const PAGES = [
  "/",
  "/pricing",
  "/auth",
  "/auth/signup",
  "/dashboard",
  "/customers/$customer$",
  "/campaigns/new",
  "/rewards/x/edit",
  "/c/$slug$",
  "/c/$slug$/review",
  "/c/$slug$/play",
  "/c/$slug$/gain",
  "/c/$slug$/reglement",
  "/c/inconnue/review",
  "/org/$orgSlug$",
  "/org/inconnue",
  "/legal/terms",
  "/docs/api",
  "/openapi.json",
  "/config.json",
  "/healthz",
  "/readyz",
  "/metrics",
  "/robots.txt",
  "/sitemap.xml",
  "/assets/nothing.js",
  "/_dev/mailbox",
  "/_dev/mailbox/$campaign$",
  "/_dev/mailbox/$campaign$/html",
  "/_dev/payments/checkout/x",
  "/_dev/payments/portal/x",
  "/v1/customers",
  "/v1/checkout/sessions",
  "/unsubscribe",
  "/invitation",
];

const pageRequest = fc.record({
  surface: fc.constant<Surface>("pages"),
  who,
  method: fc.oneof({ weight: 6, arbitrary: fc.constant("GET") }, oddMethod),
  path: fc
    .tuple(
      fc.constantFrom(...PAGES),
      fc.oneof(
        { weight: 2, arbitrary: fc.constant("") },
        junkWord.map((word) => `/${word}`),
        fc
          .tuple(fc.constantFrom("source", "review_id", "entry", "token", "version", "x"), junkWord)
          .map(([key, word]) => `?${key}=${word}`),
      ),
    )
    .map(([page, rest]) => page + rest),
  headers: junkHeaders,
  body: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, brokenText),
});

/** Requests that nothing of the product's own would send, over every surface; most of them to the data API, which reads the most. */
export function badRequests(catalog: Catalog): Arbitrary<BadRequest> {
  return fc.oneof(
    { weight: 6, arbitrary: functionRequest },
    { weight: 6, arbitrary: tableRequest(catalog) },
    { weight: 6, arbitrary: callRequest(catalog) },
    { weight: 4, arbitrary: authRequest },
    { weight: 2, arbitrary: storageRequest },
    { weight: 4, arbitrary: pageRequest },
  );
}
