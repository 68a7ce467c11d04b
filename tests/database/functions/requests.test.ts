import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { errorBody } from "#domain/errors/errors.ts";
import { MAX_BODY_BYTES } from "#domain/rules/constants.ts";
import { parseBody } from "../../../supabase/functions/_shared/http/parse.ts";
import { createCampaign, createOrganization, drawWheel } from "../../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { newDevice, playOf, ratingOf, verdict } from "../support/calls.ts";

/** Checks that every server function makes of a request before it looks at its content. */

let server: TestServer;
let token: string;

/** A sound body for each function that takes one. */
let sound: Record<string, Record<string, unknown>>;

const TAKING_A_BODY = ["scan", "review_record", "public_review_click", "spin_wheel", "redeem"];

beforeAll(async () => {
  server = await startTestServer();
  const organization = await createOrganization(server.database.sql);
  token = (await server.signIn(organization.users.cashier)).token;
  const campaign = await createCampaign(server.database.sql, {
    orgId: organization.id,
    storeId: organization.storeId,
    playIntervalDays: 0,
  });
  await drawWheel(server.database.sql, campaign, [{ weight: 100 }]);
  const answer = await server.call("review_record", ratingOf(campaign));
  const { review_id } = JSON.parse(answer.text);
  sound = {
    scan: { slug: campaign.slug, source: "qr" },
    review_record: ratingOf(campaign),
    public_review_click: { review_id, campaign_id: campaign.id },
    spin_wheel: playOf(campaign),
    redeem: { code: "WINAAAA2222", store_id: organization.storeId },
  };
});

afterAll(() => server.stop());

/** Sends bytes as they are, with or without their length. */
async function send(
  name: string,
  body: string | Uint8Array<ArrayBuffer>,
  { isChunked = false } = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.url}/functions/v1/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    ...(isChunked ? { body: new Blob([body]).stream(), duplex: "half" } : { body }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** A sound body made so many bytes long with spaces, which JSON allows. */
function padded(name: string, bytes: number): string {
  const json = JSON.stringify(sound[name]);
  return `${json}${" ".repeat(bytes - Buffer.byteLength(json))}`;
}

describe.each(TAKING_A_BODY)("%s", (name) => {
  it("takes a sound body", async () => {
    const { status } = await send(name, JSON.stringify(sound[name]));
    // The code that the till asks for does not exist; everything else is done.
    expect(status).toBe(
      name === "redeem" ? 404 : ({ review_record: 201, spin_wheel: 200 }[name] ?? 204),
    );
  });

  it.each([
    ["surprise", { surprise: 1 }],
    ["surprise", { surprise: null }],
    ["constructor", { constructor: {} }],
    ["org_id", { org_id: "00000000-0000-4000-8000-000000000001" }],
  ])("refuses the unknown field %s", async (field, extra) => {
    const answer = await send(name, JSON.stringify({ ...sound[name], ...extra }));
    expect(verdict(answer)).toBe("400 invalid_request");
    const { error } = errorBody.parse(answer.body);
    expect(error.message).toBe("Paramètres manquants");
    expect(error.details?.fields).toContain(field);
  });

  it("refuses a field that would be the prototype", async () => {
    const json = JSON.stringify(sound[name]).replace("{", '{"__proto__":{"a":1},');
    expect(verdict(await send(name, json))).toBe("400 invalid_request");
  });

  it.each(["", " ", "{", "nul", "null", "true", "42", '"texte"', "[]", "[{}]", "{}", "\u0000"])(
    "refuses what is no body: %j",
    async (text) => {
      const answer = await send(name, text);
      expect(verdict(answer)).toBe("400 invalid_request");
      expect(errorBody.parse(answer.body).error.message).toBe("Paramètres manquants");
    },
  );

  it("refuses bytes that are no text", async () => {
    const bytes = Uint8Array.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]);
    expect(verdict(await send(name, bytes))).toBe("400 invalid_request");
  });

  it.each([false, true])("refuses more than 64 KiB; without a length: %s", async (isChunked) => {
    const fits = await send(name, padded(name, MAX_BODY_BYTES), { isChunked });
    expect(fits.status).not.toBe(413);
    for (const bytes of [MAX_BODY_BYTES + 1, 8 * MAX_BODY_BYTES]) {
      const answer = await send(name, padded(name, bytes), { isChunked });
      expect(verdict(answer)).toBe("413 body_too_large");
    }
  });

  it.each([false, true])(
    "counts bytes, not characters; without a length: %s",
    async (isChunked) => {
      const text = JSON.stringify({ ...sound[name], note: "é".repeat(MAX_BODY_BYTES / 2) });
      expect(text.length).toBeLessThan(MAX_BODY_BYTES);
      expect(verdict(await send(name, text, { isChunked }))).toBe("413 body_too_large");
    },
  );

  it("answers before a body without end has ended", async () => {
    const { hostname, port } = new URL(server.url);
    const sending = request({
      hostname,
      port,
      path: `/functions/v1/${name}`,
      method: "POST",
      headers: { "transfer-encoding": "chunked", authorization: `Bearer ${token}` },
    });
    sending.write(" ".repeat(2 * MAX_BODY_BYTES));
    const [response] = await once(sending, "response");
    expect(response.statusCode).toBe(413);
    sending.on("error", () => {});
    sending.destroy();
  });

  it.each(["GET", "PUT", "PATCH", "DELETE"])("has no method %s", async (method) => {
    const response = await fetch(`${server.url}/functions/v1/${name}`, { method });
    expect(response.status).toBe(405);
    expect(errorBody.parse(await response.json()).error).toEqual({
      code: "method_not_allowed",
      message: "Cette action n’existe pas.",
    });
  });
});

describe("a body without our server in front", () => {
  const schema = z.object({ text: z.string() });

  async function statusOf(text: string): Promise<number> {
    const body = new Blob([JSON.stringify({ text })]).stream();
    // The browser's types do not know yet that a stream is sent without waiting for an answer.
    const init = { method: "POST", body, duplex: "half" };
    const parsed = await parseBody(new Request("http://localhost/", init), schema);
    return parsed.ok ? 200 : parsed.response.status;
  }

  it("is bounded too, by its bytes", async () => {
    const room = MAX_BODY_BYTES - JSON.stringify({ text: "" }).length;
    expect(await statusOf("a".repeat(room))).toBe(200);
    expect(await statusOf("a".repeat(room + 1))).toBe(413);
    expect(await statusOf("é".repeat(Math.floor(room / 2)))).toBe(200);
    expect(await statusOf("é".repeat(Math.floor(room / 2) + 1))).toBe(413);
  });
});

describe.each(["campaign", ...TAKING_A_BODY])("%s", (name) => {
  it("tells browsers of other origins what they may send", async () => {
    const response = await fetch(`${server.url}/functions/v1/${name}`, {
      method: "OPTIONS",
      headers: {
        origin: "https://ailleurs.example",
        "access-control-request-method": name === "campaign" ? "GET" : "POST",
        "access-control-request-headers": "authorization, apikey, content-type, x-client-info",
      },
    });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const allowed = (header: string) => response.headers.get(header)?.split(/,\s*/);
    expect(allowed("access-control-allow-methods")).toEqual(
      expect.arrayContaining(["GET", "POST", "OPTIONS"]),
    );
    expect(allowed("access-control-allow-headers")).toEqual(
      expect.arrayContaining(["authorization", "apikey", "content-type", "x-client-info"]),
    );
    // No cookie is read, so none is asked for.
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  });

  it("answers JSON that nobody keeps, readable from everywhere", async () => {
    const answer = await server.call(name, name === "campaign" ? undefined : {});
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.keys(errorBody.parse(answer.body).error)).toEqual(
      expect.arrayContaining(["code", "message"]),
    );
  });
});

describe("campaign", () => {
  it.each(["POST", "PUT", "DELETE"])("has no method %s", async (method) => {
    const response = await fetch(`${server.url}/functions/v1/campaign?slug=x`, { method });
    expect(response.status).toBe(405);
  });

  it.each([
    "",
    "?slug=",
    "?other=1",
    `?slug=${"a".repeat(5000)}`,
    "?slug=%00",
    "?slug=%ff",
    "?slug=a%20b",
  ])("finds nothing at %j", async (query) => {
    const answer = await server.call(`campaign${query}`);
    expect(verdict(answer)).toBe("404 campaign_not_found");
  });
});

describe("another name", () => {
  it.each(["nothing", "campaign/", "Campaign", "spin_wheel/extra", "__proto__", "constructor", ""])(
    "%j is no function",
    async (name) => {
      const answer = await server.call(name, {});
      expect(verdict(answer)).toBe("404 not_found");
    },
  );
});

describe("fields", () => {
  type Edit = (body: Record<string, unknown>) => Record<string, unknown>;

  beforeEach(() => {
    // Nothing of a refused body may be kept under its key.
    sound.review_record = { ...sound.review_record, visit_id: randomUUID() };
    sound.spin_wheel = { ...sound.spin_wheel, play_id: randomUUID() };
  });

  const person =
    (change: object): Edit =>
    ({ end_user, ...rest }) => ({
      ...rest,
      end_user: { ...(typeof end_user === "object" ? end_user : {}), ...change },
    });
  const contact =
    (change: object): Edit =>
    ({ contact: old, ...rest }) => ({
      ...rest,
      contact: { ...(typeof old === "object" ? old : {}), ...change },
    });
  const set =
    (change: object): Edit =>
    (body) => ({ ...body, ...change });
  const without =
    (name: string): Edit =>
    (body) =>
      Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

  const CASES: [string, string, Edit, string][] = [
    ["scan", "slug missing", without("slug"), "slug"],
    ["scan", "slug blank", set({ slug: "" }), "slug"],
    ["scan", "slug too long", set({ slug: "a".repeat(201) }), "slug"],
    ["scan", "source in capitals", set({ source: "QR" }), "source"],
    ["scan", "source too long", set({ source: "a".repeat(33) }), "source"],
    ["review_record", "campaign missing", without("campaign_id"), "campaign_id"],
    ["review_record", "campaign no UUID", set({ campaign_id: "demo" }), "campaign_id"],
    ["review_record", "visit no UUID", set({ visit_id: "1" }), "visit_id"],
    ["review_record", "rating 0", set({ rating: 0 }), "rating"],
    ["review_record", "a language without pages", set({ locale: "pt" }), "locale"],
    ["review_record", "rating 6", set({ rating: 6 }), "rating"],
    ["review_record", "rating 4.5", set({ rating: 4.5 }), "rating"],
    ["review_record", "rating as text", set({ rating: "5" }), "rating"],
    ["review_record", "source with a space", set({ source: "a b" }), "source"],
    ["review_record", "first name blank", person({ first_name: "  " }), "end_user.first_name"],
    [
      "review_record",
      "first name too long",
      person({ first_name: "a".repeat(121) }),
      "end_user.first_name",
    ],
    ["review_record", "last name missing", person({ last_name: undefined }), "end_user.last_name"],
    ["review_record", "no contact", person({ email: undefined }), "end_user"],
    ["review_record", "e-mail without a dot", person({ email: "ana@exemple" }), "end_user.email"],
    [
      "review_record",
      "e-mail with a space",
      person({ email: "a na@exemple.fr" }),
      "end_user.email",
    ],
    [
      "review_record",
      "e-mail too long",
      person({ email: `${"a".repeat(250)}@e.fr` }),
      "end_user.email",
    ],
    [
      "review_record",
      "e-mail in brackets",
      person({ email: "<ana@exemple.fr>" }),
      "end_user.email",
    ],
    ["review_record", "e-mail with a sign more", person({ email: "a@b.fr;" }), "end_user.email"],
    ["review_record", "e-mail with a dot more", person({ email: "race@x.fr." }), "end_user.email"],
    ["review_record", "e-mail outside ASCII", person({ email: "é@b.test" }), "end_user.email"],
    ["review_record", "e-mail with a code", person({ email: "a@b.fr%0aBcc:x" }), "end_user.email"],
    ["review_record", "phone too short", person({ phone: "06 12 34 56" }), "end_user.phone"],
    ["review_record", "phone with letters", person({ phone: "06 12 34 56 7a" }), "end_user.phone"],
    [
      "review_record",
      "consent as text",
      person({ consent_marketing: "oui" }),
      "end_user.consent_marketing",
    ],
    ["review_record", "a field more", person({ org_id: "x" }), "end_user.org_id"],
    ["public_review_click", "review missing", without("review_id"), "review_id"],
    ["public_review_click", "campaign no UUID", set({ campaign_id: "x" }), "campaign_id"],
    ["spin_wheel", "campaign missing", without("campaign_id"), "campaign_id"],
    ["spin_wheel", "a language without pages", set({ locale: "pt" }), "locale"],
    ["spin_wheel", "device missing", without("device_fp"), "device_fp"],
    ["spin_wheel", "device no hash", set({ device_fp: "abc" }), "device_fp"],
    ["spin_wheel", "device in capitals", set({ device_fp: "A".repeat(64) }), "device_fp"],
    ["spin_wheel", "name of one letter", contact({ name: " A " }), "contact.name"],
    ["spin_wheel", "e-mail with a bracket", contact({ email: "a@b.fr>" }), "contact.email"],
    ["spin_wheel", "contact without e-mail or phone", contact({ email: undefined }), "contact"],
    ["spin_wheel", "contact with a field more", contact({ rating: 5 }), "contact.rating"],
    ["spin_wheel", "play_id no UUID", set({ play_id: "x" }), "play_id"],
    ["redeem", "code missing", without("code"), "code"],
    ["redeem", "code blank", set({ code: "  " }), "code"],
    ["redeem", "code too long", set({ code: "A".repeat(65) }), "code"],
    ["redeem", "store no UUID", set({ store_id: "ici" }), "store_id"],
  ];

  it.each(CASES)("%s refuses: %s", async (name, _, edit, field) => {
    const answer = await send(name, JSON.stringify(edit(sound[name] ?? {})));
    expect(verdict(answer)).toBe("400 invalid_request");
    expect(errorBody.parse(answer.body).error.details?.fields).toEqual([field]);
  });

  it("spin_wheel takes exactly one of a review, a contact with its key, and the test mode", async () => {
    const { contact: who, play_id, ...rest } = sound.spin_wheel ?? {};
    const review_id = sound.public_review_click?.review_id;
    const bodies: object[] = [
      { ...rest },
      { ...rest, play_id },
      { ...rest, contact: who },
      { ...rest, contact: who, play_id, review_id },
      { ...rest, contact: who, play_id, test: true },
      { ...rest, review_id, test: true },
      { ...rest, test: false },
      { ...rest, test: 1 },
    ];
    for (const body of bodies) {
      expect(verdict(await send("spin_wheel", JSON.stringify(body)))).toBe("400 invalid_request");
    }
    const test = { ...rest, test: true, device_fp: newDevice() };
    expect((await send("spin_wheel", JSON.stringify(test))).status).toBe(200);
  });

  it("review_record names every field that is wrong", async () => {
    const body = {
      ...sound.review_record,
      rating: 9,
      source: "Q R",
      end_user: { first_name: "", last_name: "", email: "x", phone: "1" },
    };
    const answer = await send("review_record", JSON.stringify(body));
    expect(errorBody.parse(answer.body).error.details?.fields).toEqual([
      "end_user.first_name",
      "end_user.last_name",
      "end_user.email",
      "end_user.phone",
      "rating",
      "source",
    ]);
  });

  it.each([
    ["signs that nobody sees", "\u200b".repeat(30)],
    ["ten emoji, each of two halves", "😀".repeat(10)],
    ["a few words among marks of direction", `Trop bruyant${"\u202a\u0007".repeat(9)}`],
  ])("review_record refuses feedback of %s, and stores nothing", async (_, feedback) => {
    const visit_id = randomUUID();
    const answer = await send(
      "review_record",
      JSON.stringify({ ...sound.review_record, visit_id, feedback }),
    );
    expect(verdict(answer)).toBe("400 invalid_request");
    expect(errorBody.parse(answer.body).error.details?.fields).toEqual(["feedback"]);
    const stored = await server.database.sql`
      select id from public.pre_spin_reviews where visit_id = ${visit_id}`;
    expect([...stored]).toEqual([]);
  });

  // Half an emoji may be left by a form that cut it off: no reason to lose a person's words.
  it("review_record takes half a surrogate pair as a sign that cannot be read", async () => {
    const rating = { ...sound.review_record, visit_id: randomUUID() };
    const email = `${randomUUID()}@exemple.fr`;
    const body = person({ first_name: "Ana \ud83c", email })(rating);
    expect((await send("review_record", JSON.stringify(body))).status).toBe(201);
    const [row] = await server.database.sql`
      select first_name from public.customers where email = ${email}`;
    expect(row?.first_name).toBe("Ana \ufffd");
  });

  // PostgreSQL keeps no such character: it is a body like no page sends, not a failure of ours.
  it.each([
    ["scan", set({ slug: "a\u0000b" })],
    ["review_record", person({ first_name: "A\u0000na" })],
    ["spin_wheel", contact({ name: "A\u0000na" })],
    ["redeem", set({ code: "WIN\u0000AAAA" })],
  ] as [string, Edit][])("%s refuses the character NUL", async (name, edit) => {
    const answer = await send(name, JSON.stringify(edit(sound[name] ?? {})));
    expect(verdict(answer)).toBe("400 invalid_request");
  });
});
