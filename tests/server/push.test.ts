import { createECDH, createPublicKey } from "node:crypto";
import { decrypt } from "http_ece";
import { importSPKI, jwtVerify } from "jose";
import type { JSONValue } from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { readVapidKeys } from "../../server/config/secrets.ts";
import { isOutside, lookupOutside } from "../../supabase/functions/_shared/http/outside-address.ts";
import {
  createOutsideFetch,
  createOutsideSender,
  type SendOutside,
} from "../../supabase/functions/_shared/http/outside-request.ts";
import { deliverDue, refuse } from "../../supabase/functions/_shared/messages/delivery.ts";
import { createPushDelivery } from "../../supabase/functions/_shared/messages/push-service.ts";
import {
  makeVapidKeys,
  parseVapidKeys,
  vapidSubject,
} from "../../supabase/functions/_shared/messages/vapid-keys.ts";
import { secondsFromNow } from "../harness/clock.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import { createOrganization, type Organization } from "../harness/fixtures.ts";
import { makePushDevice, type PushDevice } from "../harness/push-device.ts";
import { temporaryFolder } from "./program.ts";
import { ANSWERS, startPushService } from "./push-service.ts";

/** Push messages on their way to a browser vendor's service: what leaves, how it is sealed, and what each answer does. */

const REVIEW = "0193b0a2-7c1e-7000-8000-000000000001";
const KEYS = makeVapidKeys();
const SUBJECT = "mailto:bonjour@exemple.fr";

const database = setUpTestDatabase();
let ours: Organization;
let device: PushDevice;
let deviceId: string;

beforeEach(async () => {
  await database.sql`delete from private.outbox`;
  ours = await createOrganization(database.sql);
  device = makePushDevice();
  deviceId = await register(device);
});

async function register({ endpoint, p256dh, auth }: PushDevice): Promise<string> {
  const { id } = ours.users.owner;
  const [row] = await database.sql<{ id: string }[]>`
    insert into private.push_devices (org_id, user_id, session_id, endpoint, p256dh, auth, label)
    values (${ours.id}, ${id}, ${id}, ${endpoint}, ${p256dh}, ${auth}, 'Chrome sur Android') returning id`;
  return row?.id ?? "";
}

const LOW_RATING = { store: "Café Bertille", rating: 2, review: REVIEW };

async function enqueue(template = "low_rating", data: JSONValue = LOW_RATING) {
  const [row] = await database.sql<{ id: string }[]>`
    select private.enqueue_message('push', ${template}, ${deviceId}, ${database.sql.json(data)},
      now() + interval '1 day') as id`;
  return row?.id ?? "";
}

/** Sends what is due, as the scheduler does; answers what the log says. */
async function deliver(send: SendOutside): Promise<Record<string, unknown>[]> {
  const log: Record<string, unknown>[] = [];
  const push = createPushDelivery({
    sql: database.sql,
    keys: KEYS,
    subject: SUBJECT,
    now: () => secondsFromNow(0),
    send,
  });
  await deliverDue({
    sql: database.sql,
    deliveries: { mail: refuse, sms: refuse, payment: refuse, file: refuse, push },
    log: (line) => void log.push(line),
    isStopping: () => false,
  });
  return log;
}

async function stored(id: string) {
  const [row] = await database.sql`
    select state, last_error, data, attempts, extract(epoch from next_attempt_at - now())::float8 as wait
    from private.outbox where id = ${id}`;
  return row;
}

async function known() {
  const [row] = await database.sql`
    select last_used_at is not null as is_used from private.push_devices where id = ${deviceId}`;
  return row;
}

/** Names that the service is called by; a `fetch` of the tests goes straight to its port. */
const HOSTS = { send: /^push\.example\.com:\d+$/, fetch: /^127\.0\.0\.1:\d+$/ };

/** Ways out to the internet: of our own server, and of a hosted project's functions. */
const WAYS = { send: createOutsideSender, fetch: createOutsideFetch };

describe.each(["send", "fetch"] as const)("a message by « %s »", (way) => {
  it("opens for its browser alone, and is signed by this installation for that service", async () => {
    const service = await startPushService();
    const id = await enqueue();
    const log = await deliver(service[way]);
    expect(log).toMatchObject([{ event: "message_sent", channel: "push" }]);
    expect(await stored(id)).toMatchObject({ state: "sent", data: {} });
    expect(await known()).toEqual({ is_used: true });

    const [posted, ...others] = service.posted;
    expect(others).toEqual([]);
    const topic = id.replaceAll("-", "");
    expect(posted?.headers).toMatchObject({
      host: expect.stringMatching(HOSTS[way]),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      urgency: "high",
      topic,
    });
    expect(Number(posted?.headers.ttl)).toBeGreaterThan(86_000);
    expect(Number(posted?.headers.ttl)).toBeLessThanOrEqual(86_400);
    const body = posted?.body ?? Buffer.alloc(0);
    expect(JSON.parse(device.open(body))).toEqual({
      title: "Un avis à lire",
      body: "Café Bertille : un avis 2 étoiles vient d’arriver.",
      path: `/reviews?review=${REVIEW}`,
      tag: topic,
    });
    expect(() => makePushDevice().open(body)).toThrow();
    expect(body.toString("latin1")).not.toContain("Bertille");

    // RFC 8292: « vapid t=<JWT>, k=<public key> ».
    const [, token = "", key] =
      /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(posted?.headers.authorization ?? "") ?? [];
    expect(key).toBe(KEYS.publicKey);
    const verified = await jwtVerify(token, await publicKeyOf(KEYS.publicKey), {
      algorithms: ["ES256"],
      audience: service.origin,
      subject: SUBJECT,
    });
    const left = (verified.payload.exp ?? 0) - secondsFromNow(0).getTime() / 1_000;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(24 * 60 * 60);
    await expect(
      publicKeyOf(makeVapidKeys().publicKey).then((other) => jwtVerify(token, other)),
    ).rejects.toThrow();

    // The log names nobody, and nothing that reaches anybody.
    const text = JSON.stringify(log);
    for (const secret of [device.endpoint, device.auth, "Bertille", REVIEW]) {
      expect(text).not.toContain(secret);
    }
  });

  it("with the longest names of four bytes a letter opens for another implementation, and fits every service", async () => {
    const service = await startPushService();
    const privateKey = createECDH("prime256v1");
    privateKey.generateKeys();
    const reader = makePushDevice({ privateKey: privateKey.getPrivateKey("base64url") });
    deviceId = await register(reader);
    const long = "𠮷".repeat(200);
    const id = await enqueue("low_stock", { store: long, prize: long, stock: 3, reward: REVIEW });
    await deliver(service[way]);
    expect(await stored(id)).toMatchObject({ state: "sent" });
    const [posted] = service.posted;
    const body = posted?.body ?? Buffer.alloc(0);
    const text = decrypt(body, { version: "aes128gcm", privateKey, authSecret: reader.auth });
    expect(JSON.parse(text.toString())).toEqual({
      title: "Un stock s’épuise",
      body: expect.stringMatching(/^[^𠮷]*𠮷{79}…[^𠮷]*𠮷{79}…[^𠮷]*$/u),
      path: `/rewards/${REVIEW}/edit`,
      tag: id.replaceAll("-", ""),
    });
    // RFC 8030, section 7.2: no service may refuse a body of 4,096 bytes.
    expect(body.length).toBeLessThanOrEqual(4_096);
    expect(posted?.headers).toMatchObject({
      "content-length": `${body.length}`,
      urgency: "normal",
    });
  });

  it("is kept by its service until a day after it was written, however late it leaves", async () => {
    const service = await startPushService();
    await enqueue();
    await database.sql`update private.outbox set created_at = now() - interval '1 hour'`;
    await deliver(service[way]);
    const ttl = Number(service.posted[0]?.headers.ttl);
    expect(ttl).toBeGreaterThan(82_000);
    expect(ttl).toBeLessThanOrEqual(82_800);
  });

  it.each([
    ["gone", ANSWERS.gone],
    ["unknown", ANSWERS.unknown],
  ])("to a device that is %s at its service forgets it, and is no failure", async (_, verdict) => {
    const service = await startPushService();
    service.answer(verdict);
    const id = await enqueue();
    expect(await deliver(service[way])).toMatchObject([{ event: "message_dropped" }]);
    expect(await stored(id)).toMatchObject({ state: "sent", data: {} });
    expect(await known()).toBeUndefined();
  });

  it("waits for as long as the service asks", async () => {
    const service = await startPushService();
    service.answer(ANSWERS.tooMany);
    const id = await enqueue();
    expect(await deliver(service[way])).toMatchObject([
      { event: "message_failed", code: "HTTP_429" },
    ]);
    const row = await stored(id);
    expect(row).toMatchObject({ state: "queued", last_error: "HTTP_429" });
    expect(row?.wait).toBeGreaterThan(100);
    expect(row?.wait).toBeLessThanOrEqual(120);
    service.answer(ANSWERS.taken);
    await database.sql`update private.outbox set next_attempt_at = now()`;
    await deliver(service[way]);
    expect(await stored(id)).toMatchObject({ state: "sent", attempts: 2 });
    // Said twice, it replaces itself.
    expect(new Set(service.posted.map(({ headers }) => headers.topic)).size).toBe(1);
  });

  it.each([
    ["until a date", secondsFromNow(600).toUTCString(), 500, 600],
    [
      "no longer than an hour, whatever the date",
      secondsFromNow(999_999).toUTCString(),
      3_500,
      3_600,
    ],
    ["as after any failure where the date is over", secondsFromNow(-600).toUTCString(), 0, 20],
    ["as after any failure where it is no date", "soon", 0, 20],
  ])("waits %s", async (_, value, least, most) => {
    const service = await startPushService();
    service.answer({ status: 503, headers: { "retry-after": value } });
    const id = await enqueue();
    await deliver(service[way]);
    const row = await stored(id);
    expect(row).toMatchObject({ state: "queued", last_error: "HTTP_503" });
    expect(row?.wait).toBeGreaterThan(least);
    expect(row?.wait).toBeLessThanOrEqual(most);
  });

  it("is tried again by a service in trouble, and given up by one that refuses it", async () => {
    const service = await startPushService();
    const id = await enqueue();
    service.answer(ANSWERS.trouble);
    await deliver(service[way]);
    expect(await stored(id)).toMatchObject({ state: "queued", last_error: "HTTP_503" });
    service.answer(ANSWERS.slow);
    const late = await enqueue();
    await deliver(service[way]);
    expect(await stored(late)).toMatchObject({ state: "queued", last_error: "HTTP_408" });
    for (const [verdict, code] of [
      [ANSWERS.otherKey, "HTTP_403"],
      [ANSWERS.tooLarge, "HTTP_413"],
      // Nobody is followed to another address.
      [ANSWERS.elsewhere, "HTTP_307"],
    ] as const) {
      service.answer(verdict);
      const other = await enqueue();
      await deliver(service[way]);
      expect(await stored(other)).toMatchObject({ state: "failed", last_error: code });
    }
    expect(service.posted).toHaveLength(5);
    expect(await known()).toEqual({ is_used: false });
  });

  it("is dropped, unsent, where its reader is no longer to be notified", async () => {
    const service = await startPushService();
    const id = await enqueue();
    await database.sql`delete from auth.sessions where user_id = ${ours.users.owner.id}`;
    expect(await deliver(service[way])).toMatchObject([{ event: "message_dropped" }]);
    expect(await stored(id)).toMatchObject({ state: "sent", data: {} });
    expect(service.posted).toEqual([]);
  });

  it("goes to no place that is not the internet's, whatever the name answers", async () => {
    // Past the database, as if the check there were missing.
    await database.sql`alter table private.push_devices drop constraint push_devices_endpoint_check`;
    try {
      for (const endpoint of [
        "https://localhost/1",
        "https://127.0.0.1/1",
        "https://[::1]/1",
        "http://push.example.com/1",
      ]) {
        deviceId = await register({ ...makePushDevice(), endpoint });
        const id = await enqueue();
        await deliver(WAYS[way]());
        expect(await stored(id)).toMatchObject({ state: "failed", last_error: "inside_address" });
        await database.sql`delete from private.push_devices`;
      }
    } finally {
      await database.sql`
        alter table private.push_devices add constraint push_devices_endpoint_check
          check (private.is_push_endpoint(endpoint))`;
    }
  });
});

describe("the tests' browser", () => {
  it("opens the message that RFC 8291 prints (section 5)", () => {
    const receiver = makePushDevice({
      privateKey: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    });
    expect(receiver.p256dh).toBe(
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    );
    const body =
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz" +
      "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
    expect(receiver.open(Buffer.from(body, "base64url"))).toBe(
      "When I grow up, I want to be a watermelon",
    );
  });
});

describe("an address", () => {
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.31.255.255",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "fc00::1",
    "fe80::1",
    "ff02::1",
    "2001:db8::1",
    "2002:a00:1::",
    "nonsense",
  ])("%s is not the internet's", (address) => expect(isOutside(address)).toBe(false));

  it.each(["8.8.8.8", "142.250.74.74", "172.32.0.1", "2a00:1450:4007:80e::200a"])(
    "%s is",
    (address) => expect(isOutside(address)).toBe(true),
  );

  it("is refused where a name leads to this machine", async () => {
    const error = await new Promise((resolve) => {
      lookupOutside("localhost", { all: true }, (found) => resolve(found));
    });
    expect(error).toMatchObject({ code: "inside_address" });
  });
});

describe("the keys", () => {
  it("are made once for an installation, and are one pair", async () => {
    const folder = await temporaryFolder();
    const [first, second] = await Promise.all([readVapidKeys(folder), readVapidKeys(folder)]);
    expect(second).toEqual(first);
    expect(await readVapidKeys(folder)).toEqual(first);
    const pair = createECDH("prime256v1");
    pair.setPrivateKey(first.privateKey, "base64url");
    expect(pair.getPublicKey("base64url")).toBe(first.publicKey);
    // As the tool of the library writes them.
    const { default: webPush } = await import("web-push");
    const theirs = webPush.generateVAPIDKeys();
    expect(parseVapidKeys(JSON.stringify(theirs))).toEqual(theirs);
    const torn = { ...theirs, privateKey: first.privateKey };
    for (const text of ["", "{}", "[]", JSON.stringify(torn)]) {
      expect(parseVapidKeys(text)).toBeNull();
    }
  });

  it("name whom a push service may write to", () => {
    expect(vapidSubject("bonjour@exemple.fr", "https://avis.exemple.fr")).toBe(SUBJECT);
    expect(vapidSubject(null, "https://avis.exemple.fr")).toBe("https://avis.exemple.fr");
    expect(vapidSubject(null, "http://localhost:3000")).toBe("mailto:exploitant@localhost");
  });
});

/** The uncompressed point of a P-256 key as a key that jose takes. */
async function publicKeyOf(point: string) {
  const bytes = Buffer.from(point, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: bytes.subarray(1, 33).toString("base64url"),
    y: bytes.subarray(33).toString("base64url"),
  };
  const spki = createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" });
  return importSPKI(spki.toString(), "ES256");
}
