import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LOGO_MAX_BYTES } from "#domain/schemas/brand-settings.ts";
import { encodeWithin } from "../../server/images/encode-apart.ts";
import type { Deps } from "../../supabase/functions/_shared/http/deps.ts";
import { readPictureHeader } from "../../supabase/functions/_shared/images/picture-header.ts";
import { handler as brandLogo } from "../../supabase/functions/brand_logo/handler.ts";
import { verdict } from "../database/support/calls.ts";
import { secondsFromNow } from "../harness/clock.ts";
import { createOrganization, type Organization, type User } from "../harness/fixtures.ts";
import { bomb, photograph, png } from "../harness/pictures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { person } from "./billing-calls.ts";

/** A merchant's logo, from the picture that is uploaded to the file that customers see: limits, and attacks on them. */

let server: TestServer;
let ours: Organization;
let theirs: Organization;
let owner: Session;

type Session = Awaited<ReturnType<TestServer["signIn"]>>;
type Bytes = Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

beforeEach(async () => {
  ours = await createOrganization(server.database.sql);
  theirs = await createOrganization(server.database.sql);
  owner = await server.signIn(ours.users.owner);
});

/** Uploads as the back-office does, through the platform's own client; answers the name, or why not. */
async function upload(session: Session, orgId: string, bytes: Bytes, contentType = "image/png") {
  const name = randomUUID();
  const { error } = await session.client.storage
    .from("logo-uploads")
    .upload(`${orgId}/${name}`, bytes.buffer, { contentType });
  return error ? { name, refusal: error.message } : { name, refusal: null };
}

const make = (session: Session, orgId: string, name: string | null) =>
  server
    .call("brand_logo", { org_id: orgId, upload: name }, { token: session.token })
    .then(verdict);

/** Uploads a picture and makes it the logo; answers what the server said. */
async function become(session: Session, orgId: string, bytes: Bytes, type?: string) {
  const { name, refusal } = await upload(session, orgId, bytes, type);
  return refusal ?? make(session, orgId, name);
}

async function logoOf(
  orgId: string,
): Promise<{ path: string; width: number; height: number } | null> {
  const [row] = await server.database.sql<
    { brand: { logo: { path: string; width: number; height: number } } | null }[]
  >`
    select private.brand(${orgId}) as brand`;
  return row?.brand?.logo ?? null;
}

const files = async (orgId: string) => {
  const rows = await server.database.sql<{ name: string }[]>`
    select o.bucket_id || '/' || o.name as name from storage.objects o
    join storage.contents c on c.bucket_id = o.bucket_id and c.name = o.name
    where o.name like ${`${orgId}/%`} order by 1`;
  return rows.map(({ name }) => name);
};

/** Gives an organisation a logo without a picture: where it comes from is not the point. */
async function place(orgId: string) {
  const { sql } = server.database;
  const name = "0123456789abcdef".repeat(2);
  await sql`insert into public.organization_brands (org_id, logo, logo_width, logo_height) values (${orgId}, ${name}, 40, 20)`;
  for (const file of [`${orgId}/${name}.webp`, `${orgId}/${name}-print.webp`]) {
    await sql`insert into storage.objects (bucket_id, name) values ('logos', ${file})`;
    await sql`
      insert into storage.contents (bucket_id, name, body, content_type, cache_control, etag)
      values ('logos', ${file}, '\\x00', 'image/webp', 'max-age=1', '"1"')`;
  }
}

const look = (path: string) => fetch(`${server.url}/storage/v1/object/public/logos/${path}`);

describe("a logo", () => {
  it("is published small, for ever, under a name that follows from its contents", async () => {
    expect(await become(owner, ours.id, png(900, 300))).toBe("204");
    const logo = await logoOf(ours.id);
    expect(logo).toMatchObject({ width: 384, height: 128 });
    const response = await look(logo?.path ?? "");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/webp");
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("set-cookie")).toBeNull();
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.length).toBeLessThanOrEqual(8 * 1024);
    expect(readPictureHeader(bytes)).toEqual({ type: "image/webp", width: 384, height: 128 });
    const print = new Uint8Array(
      await (await look((logo?.path ?? "").replace(".webp", "-print.webp"))).arrayBuffer(),
    );
    expect(readPictureHeader(print)).toEqual({ type: "image/webp", width: 900, height: 300 });
    // A WebP is taken as well; and nothing grows that was small.
    expect(await become(owner, ours.id, bytes, "image/webp")).toBe("204");
    expect(await logoOf(ours.id)).toMatchObject({ width: 384, height: 128 });
  });

  it("is not called unreadable by a machine that has no time to read it, and stays what it was", async () => {
    const picture = png(40, 20);
    expect(await encodeWithin(0)(picture, "image/png")).toBe("busy");
    await place(ours.id);
    const before = await logoOf(ours.id);
    const { sql } = server.database;
    const deps: Deps = {
      sql,
      now: () => secondsFromNow(0),
      verifyAccessToken: async () => person(ours.users.owner),
      signApiToken: null,
      keyedHash: (_, value) => value,
      clientAddress: () => "192.0.2.1",
      payments: null,
      logos: {
        files: { read: async () => picture, write: async () => {}, remove: async () => {} },
        encode: encodeWithin(0),
      },
      log: () => undefined,
    };
    const answer = await brandLogo(
      new Request(`${server.url}/functions/v1/brand_logo`, {
        method: "POST",
        headers: { authorization: "Bearer token", "content-type": "application/json" },
        body: JSON.stringify({ org_id: ours.id, upload: randomUUID() }),
      }),
      deps,
    );
    expect(verdict({ status: answer.status, body: await answer.json() })).toBe(
      "503 service_unavailable",
    );
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(await logoOf(ours.id)).toEqual(before);
  });

  it("is replaced and removed with its files, which are gone at once", async () => {
    expect(await become(owner, ours.id, png(300, 100))).toBe("204");
    const first = await logoOf(ours.id);
    expect(await become(owner, ours.id, png(300, 100, { color: [0, 90, 200] }))).toBe("204");
    const second = await logoOf(ours.id);
    expect(second?.path).not.toBe(first?.path);
    expect((await look(first?.path ?? "")).status).toBe(404);
    const path = second?.path ?? "";
    expect(await files(ours.id)).toEqual([
      `logos/${path.replace(".webp", "-print.webp")}`,
      `logos/${path}`,
    ]);
    expect(await make(owner, ours.id, null)).toBe("204");
    expect(await logoOf(ours.id)).toBeNull();
    expect(await files(ours.id)).toEqual([]);
  });

  it("is changed although its old files could not be removed, which the log tells by code and request", async () => {
    const { sql } = server.database;
    expect(await become(owner, ours.id, png(300, 100))).toBe("204");
    const before = await files(ours.id);
    await sql`alter function public.stale_logo_files(uuid) rename to stale_logo_files_away`;
    try {
      const body = { org_id: ours.id, upload: null };
      const answer = await server.call("brand_logo", body, { token: owner.token });
      expect(verdict(answer)).toBe("204");
      expect(server.log).toContainEqual({
        event: "files_not_removed",
        level: "error",
        function: "brand_logo",
        requestId: answer.headers.get("x-request-id"),
        code: "42883",
      });
    } finally {
      await sql`alter function public.stale_logo_files_away(uuid) rename to stale_logo_files`;
    }
    expect(await logoOf(ours.id)).toBeNull();
    expect(await files(ours.id)).toEqual(before);
  });

  it("carries nothing but its pixels: no place, no hour, no script behind the picture", async () => {
    const secret = "GPS 48.8566 2.3522";
    const behind = Buffer.from("<script>alert(1)</script><?php echo 1 ?>", "latin1");
    const pictures: [Bytes, string][] = [
      [await photograph(640, 320, secret), "image/jpeg"],
      // A picture and a page at once.
      [
        new Uint8Array(
          Buffer.concat([png(64, 64, { chunks: { tEXt: `Comment\0${secret}` } }), behind]),
        ),
        "image/png",
      ],
    ];
    for (const [bytes, type] of pictures) {
      expect(await become(owner, ours.id, bytes, type)).toBe("204");
      const logo = await logoOf(ours.id);
      const [screen, print] = await Promise.all(
        [logo?.path ?? "", (logo?.path ?? "").replace(".webp", "-print.webp")].map(async (path) =>
          Buffer.from(await (await look(path)).arrayBuffer()).toString("latin1"),
        ),
      );
      expect(`${screen}${print}`).not.toMatch(/GPS|Exif|EXIF|script|php/);
    }
  });
});

describe("what is no logo", () => {
  it.each<[string, () => Bytes, string]>([
    [
      "SVG that calls itself PNG",
      () => text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      "422 logo_unreadable",
    ],
    ["a page", () => text("<!doctype html><script>alert(1)</script>"), "422 logo_unreadable"],
    ["nothing", () => text(" "), "422 logo_unreadable"],
    ["the head of a picture alone", () => png(64, 64).slice(0, 40), "422 logo_unreadable"],
    [
      "a few kilobytes that claim 900 million pixels",
      () => bomb(30_000, 30_000),
      "422 logo_too_large",
    ],
    ["a strip longer than any screen", () => bomb(9_000, 10), "422 logo_too_large"],
    ["pixels that never come", () => bomb(3_400, 3_400), "422 logo_unreadable"],
  ])("%s is refused, and nothing is left of it", async (_, bytes, refusal) => {
    expect(await become(owner, ours.id, bytes())).toBe(refusal);
    expect(await files(ours.id)).toEqual([]);
    expect(await logoOf(ours.id)).toBeNull();
  });

  it("SVG that says so, and every other type, is refused before it is stored", async () => {
    for (const type of ["image/svg+xml", "image/gif", "text/html", "application/octet-stream"]) {
      const { refusal } = await upload(owner, ours.id, png(8, 8), type);
      expect(refusal).toMatch(/not supported/);
    }
    expect(await files(ours.id)).toEqual([]);
  });

  it("bodies of 50 MB are refused, with and without their length", async () => {
    const address = () => `${server.url}/storage/v1/object/logo-uploads/${ours.id}/${randomUUID()}`;
    const headers = { authorization: `Bearer ${owner.token}`, "content-type": "image/png" };
    const large = new Blob([new Uint8Array(50 * 1024 * 1024)]);
    for (const body of [large, large.stream()]) {
      const status = await fetch(address(), {
        method: "POST",
        headers,
        body,
        duplex: "half",
      } as RequestInit).then(
        (response) => response.status,
        // The server closed the line before all of it was sent.
        () => 413,
      );
      expect(status).toBe(413);
    }
    expect((await upload(owner, ours.id, new Uint8Array(LOGO_MAX_BYTES + 1))).refusal).toMatch(
      /large/,
    );
    expect(await files(ours.id)).toEqual([]);
  });
});

describe("who may", () => {
  const session = (user: User) => server.signIn(user);

  it("owners and administrators, and nobody else of the team", async () => {
    expect(await become(await session(ours.users.admin), ours.id, png(40, 20))).toBe("204");
    const before = await files(ours.id);
    for (const role of ["member", "cashier"] as const) {
      const who = await session(ours.users[role]);
      expect((await upload(who, ours.id, png(40, 20))).refusal).toMatch(/row-level security/);
      expect(await make(who, ours.id, null)).toBe("403 brand_forbidden");
    }
    expect(await files(ours.id)).toEqual(before);
  });

  it("not the neighbours: neither upload, nor take what we uploaded, nor remove it", async () => {
    await place(ours.id);
    const stranger = await session(theirs.users.owner);
    expect((await upload(stranger, ours.id, png(40, 20))).refusal).toMatch(/row-level security/);
    expect(await make(stranger, ours.id, null)).toBe("403 brand_forbidden");
    const { name } = await upload(owner, ours.id, png(44, 20));
    const before = await files(ours.id);
    // A file that waits under our name is not found under theirs.
    expect(await make(stranger, theirs.id, name)).toBe("422 logo_unreadable");
    expect(await make(stranger, ours.id, name)).toBe("403 brand_forbidden");
    expect(await files(ours.id)).toEqual(before);
    expect(await logoOf(ours.id)).not.toBeNull();
  });

  it("nobody without a session, with the public key, an ended session or a forged token", async () => {
    const { name } = await upload(owner, ours.id, png(40, 20));
    const anonymous = { client: server.client(), token: server.running.secrets.publishableKey };
    expect((await upload(anonymous, ours.id, png(40, 20))).refusal).toEqual(expect.any(String));
    expect(await make(anonymous, ours.id, name)).toBe("401 unauthenticated");
    await server.database.sql`delete from auth.sessions where user_id = ${ours.users.owner.id}`;
    expect((await upload(owner, ours.id, png(40, 20))).refusal).toMatch(/row-level security/);
    expect(await make(owner, ours.id, name)).toBe("401 unauthenticated");
    expect(await logoOf(ours.id)).toBeNull();
  });

  it("nobody whose plan shows the product's name, or is over", async () => {
    const { sql } = server.database;
    await place(ours.id);
    const logo = await logoOf(ours.id);
    await sql`update public.subscriptions set plan = 'basic' where org_id = ${ours.id}`;
    expect((await upload(owner, ours.id, png(44, 20))).refusal).toMatch(/row-level security/);
    expect(await make(owner, ours.id, null)).toBe("402 brand_not_in_plan");
    expect(await logoOf(ours.id)).toBeNull();
    await sql`update public.subscriptions set plan = 'pro', status = 'canceled', closed_at = now() where org_id = ${ours.id}`;
    expect((await upload(owner, ours.id, png(44, 20))).refusal).toMatch(/row-level security/);
    expect(await make(owner, ours.id, null)).toBe("402 subscription_closed");
    await sql`update public.subscriptions set status = 'active', closed_at = null where org_id = ${ours.id}`;
    expect(await logoOf(ours.id)).toEqual(logo);
  });

  it.each([
    ["waits to be erased", "is_ending = true", "409 organization_ending"],
    ["is suspended", "suspended_at = now()", "403 organization_suspended"],
  ])("nobody of an organisation that %s, and they hear that", async (_, state, refusal) => {
    await server.database.sql.unsafe(`update public.subscriptions set ${state} where org_id = $1`, [
      ours.id,
    ]);
    expect((await upload(owner, ours.id, png(44, 20))).refusal).toMatch(/row-level security/);
    expect(await make(owner, ours.id, null)).toBe(refusal);
  });

  it("five pictures at once, and no heap", async () => {
    for (const _ of [1, 2, 3, 4, 5]) {
      expect((await upload(owner, ours.id, png(8, 8))).refusal).toBeNull();
    }
    expect((await upload(owner, ours.id, png(8, 8))).refusal).toMatch(/row-level security/);
  });
});

describe("the storage from outside", () => {
  it("has no other way in: no list, no reading, no replacing, no signed address, no bucket", async () => {
    await place(ours.id);
    const { name } = await upload(owner, ours.id, png(44, 20));
    const before = await files(ours.id);
    const logo = (await logoOf(ours.id))?.path ?? "";
    const attempts: [method: string, path: string, body?: unknown][] = [
      ["GET", "bucket"],
      ["POST", "bucket", { id: "mine", name: "mine", public: true }],
      ["PUT", "bucket/logos", { public: false }],
      ["POST", "bucket/logos/empty"],
      ["DELETE", "bucket/logos"],
      ["POST", "object/list/logos", { prefix: "" }],
      ["POST", `object/logos/${logo}`, {}],
      ["PUT", `object/logos/${logo}`, {}],
      ["DELETE", "object/logos", { prefixes: [logo] }],
      ["DELETE", `object/logos/${logo}`],
      [
        "POST",
        "object/move",
        {
          bucketId: "logo-uploads",
          sourceKey: `${ours.id}/${name}`,
          destinationBucket: "logos",
          destinationKey: logo,
        },
      ],
      [
        "POST",
        "object/copy",
        {
          bucketId: "logo-uploads",
          sourceKey: `${ours.id}/${name}`,
          destinationBucket: "logos",
          destinationKey: logo,
        },
      ],
      ["POST", `object/upload/sign/logo-uploads/${ours.id}/${randomUUID()}`, {}],
      ["POST", `object/sign/logo-uploads/${ours.id}/${name}`, { expiresIn: 60 }],
      ["GET", `object/logo-uploads/${ours.id}/${name}`],
      ["GET", `object/public/logo-uploads/${ours.id}/${name}`],
      ["PUT", `object/logo-uploads/${ours.id}/${name}`, {}],
      ["POST", `object/logo-uploads/${ours.id}/../${theirs.id}/${randomUUID()}`, {}],
      ["POST", `object/logo-uploads/${ours.id}%2F..%2F${theirs.id}/${randomUUID()}`, {}],
      ["POST", "upload/resumable", {}],
    ];
    for (const token of [owner.token, server.running.secrets.publishableKey]) {
      for (const [method, path, body] of attempts) {
        const response = await fetch(`${server.url}/storage/v1/${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        expect([method, path, response.status >= 400]).toEqual([method, path, true]);
      }
    }
    expect(await files(ours.id)).toEqual(before);
    expect(await files(theirs.id)).toEqual([]);
  });

  it("shows logos alone, by their whole name", async () => {
    for (const path of [
      "",
      "../",
      `${ours.id}/`,
      `${ours.id}/${"0".repeat(32)}.webp`,
      `${ours.id}/a.png`,
    ]) {
      expect((await look(path)).status).toBe(404);
    }
  });
});

function text(content: string): Bytes {
  return new Uint8Array(Buffer.from(content));
}
