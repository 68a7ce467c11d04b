import { once } from "node:events";
import { connect } from "node:net";
import { createClient, type RealtimeChannel, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import ws from "ws";
import {
  createCampaign,
  createOrganization,
  daysFromNow,
  giveRole,
  type Organization,
  ROLES,
  type Role,
} from "../harness/fixtures.ts";
import { review } from "../harness/journey.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** `realtime/v1` as the official client speaks it, on two servers that share one database. */

let server: TestServer;
let other: TestServer;
let organization: Organization;
const clients: Pick<SupabaseClient, "removeAllChannels">[] = [];

beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({ database: server.database });
  organization = await createOrganization(server.database.sql);
  // A room for whoever is signed in, where they may write and show themselves.
  await server.database.sql.unsafe(`
    create policy "Everybody reads the room" on realtime.messages for select to authenticated
      using ((select realtime.topic()) like 'room%');
    create policy "Everybody writes to the room" on realtime.messages for insert to authenticated
      with check ((select realtime.topic()) like 'room%' and (select realtime.topic()) <> 'room:quiet');
  `);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(clients.splice(0).map((client) => client.removeAllChannels()));
});

afterAll(async () => {
  await other.stop();
  await server.stop();
});

async function signIn(role: Role = "owner", at = server, of = organization) {
  const { client, token } = await at.signIn(of.users[role]);
  clients.push(client);
  await client.realtime.setAuth(token);
  return client;
}

type Status = "SUBSCRIBED" | "CHANNEL_ERROR" | "TIMED_OUT" | "CLOSED";

/** Subscribes, and answers how that went first. */
function subscribe(channel: RealtimeChannel): Promise<{ status: Status; reason: string }> {
  return new Promise((resolve) => {
    channel.subscribe((status, error) => resolve({ status, reason: error?.message ?? "" }));
  });
}

const PRIVATE = { config: { private: true } };

/** The messages that a channel has heard. */
function hear(channel: RealtimeChannel, event = "*"): unknown[] {
  const heard: unknown[] = [];
  channel.on("broadcast", { event }, (message: { payload?: unknown }) =>
    heard.push(message.payload),
  );
  return heard;
}

describe("a channel", () => {
  // As the client's own integration tests do, in both versions of the protocol, but for their half a second for a heartbeat.
  it.each(["1.0.0", "2.0.0"])("carries what its sender wants back, by version %s", async (vsn) => {
    const { token } = await server.signIn(organization.users.owner);
    const client = createClient(server.url, server.running.secrets.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { vsn },
    });
    clients.push(client);
    await client.realtime.setAuth(token);
    const channel = client.channel("room:self", {
      config: { private: true, broadcast: { self: true } },
    });
    const heard = hear(channel);
    expect(await subscribe(channel)).toEqual({ status: "SUBSCRIBED", reason: "" });
    await channel.send({ type: "broadcast", event: "test-event", payload: { message: "test" } });
    await expect.poll(() => heard).toEqual([{ message: "test" }]);
    expect(client.realtime.getChannels()).toHaveLength(1);
    const beats: string[] = [];
    client.realtime.onHeartbeat((status) => beats.push(status));
    await client.realtime.sendHeartbeat();
    await expect.poll(() => beats).toEqual(["sent", "ok"]);
  });

  it("carries messages between clients of two servers, not back to who sent them", async () => {
    const [sender, reader] = [await signIn("owner"), await signIn("member", other)];
    const out = sender.channel("room", { config: { private: true, broadcast: { ack: true } } });
    const into = reader.channel("room", PRIVATE);
    const [own, heard] = [hear(out), hear(into)];
    expect(await subscribe(out)).toEqual({ status: "SUBSCRIBED", reason: "" });
    expect(await subscribe(into)).toEqual({ status: "SUBSCRIBED", reason: "" });
    const message = { text: "« Bonjour » 🎡", nested: [1, null, { a: true }] };
    expect(await out.send({ type: "broadcast", event: "news", payload: message })).toBe("ok");
    await expect.poll(() => heard).toEqual([message]);
    // Longer than a notification of the database may be.
    const long = { text: "é".repeat(20_000) };
    expect(await out.send({ type: "broadcast", event: "news", payload: long })).toBe("ok");
    await expect.poll(() => heard).toEqual([message, long]);
    expect(own).toEqual([]);
  });

  it("gives messages back to who asks for its own, and bytes as bytes", async () => {
    const client = await signIn();
    const channel = client.channel("room", {
      config: { private: true, broadcast: { ack: true, self: true } },
    });
    const heard = hear(channel);
    await subscribe(channel);
    const bytes = new Uint8Array([0, 1, 254, 255]).buffer;
    expect(await channel.send({ type: "broadcast", event: "bytes", payload: bytes })).toBe("ok");
    await expect.poll(() => heard.length).toBe(1);
    expect(new Uint8Array(heard[0] as ArrayBuffer)).toEqual(new Uint8Array(bytes));
  });

  it("shows who is there, on both servers, until they leave", async () => {
    const [here, there] = [await signIn("owner"), await signIn("member", other)];
    const [one, two] = [
      here.channel("room", { config: { private: true, presence: { key: "one" } } }),
      there.channel("room", { config: { private: true, presence: { key: "two" } } }),
    ];
    const seen: string[][] = [];
    one.on("presence", { event: "sync" }, () => seen.push(Object.keys(one.presenceState()).sort()));
    two.on("presence", { event: "sync" }, () => undefined);
    await subscribe(one);
    await subscribe(two);
    expect(await one.track({ name: "Une" })).toBe("ok");
    expect(await two.track({ name: "Deux" })).toBe("ok");
    await expect.poll(() => seen.at(-1)).toEqual(["one", "two"]);
    expect(one.presenceState()).toMatchObject({ two: [{ name: "Deux" }] });
    // A later member learns of all.
    const late = (await signIn("admin")).channel("room", PRIVATE);
    late.on("presence", { event: "sync" }, () => undefined);
    await subscribe(late);
    await expect.poll(() => Object.keys(late.presenceState()).sort()).toEqual(["one", "two"]);
    await there.removeAllChannels();
    await expect.poll(() => seen.at(-1)).toEqual(["one"]);
    expect(await one.untrack()).toBe("ok");
    await expect.poll(() => seen.at(-1)).toEqual([]);
  });

  it("lets nobody name their presence after what is not theirs", async () => {
    const client = await signIn();
    const proto = { config: { private: true, presence: { key: "__proto__" } } };
    expect(await subscribe(client.channel("room:key", proto))).toMatchObject({
      status: "CHANNEL_ERROR",
      reason: expect.stringContaining("InvalidJoin"),
    });
    const channel = client.channel("room:ref", {
      config: { private: true, presence: { key: "me" } },
    });
    channel.on("presence", { event: "sync" }, () => undefined);
    await subscribe(channel);
    expect(await channel.track({ phx_ref: "another's", name: "Une" })).toBe("ok");
    await expect.poll(() => channel.presenceState().me).toMatchObject([{ name: "Une" }]);
    const late = (await signIn()).channel("room:ref", PRIVATE);
    late.on("presence", { event: "sync" }, () => undefined);
    await subscribe(late);
    await expect.poll(() => late.presenceState().me).toMatchObject([{ name: "Une" }]);
    for (const seen of [channel, late]) {
      expect(seen.presenceState().me?.[0]?.presence_ref).not.toBe("another's");
    }
  });

  it("is joined again by all where other processes took this one for gone", async () => {
    const client = await signIn();
    const channel = client.channel("room:forgotten", PRIVATE);
    const heard = hear(channel);
    const statuses: string[] = [];
    channel.subscribe((status) => statuses.push(status));
    await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);
    const { sql } = server.database;
    await sql`
      delete from realtime.processes
      where id in (select process_id from realtime.listeners where topic = 'room:forgotten')`;
    // A message sent now reaches nobody: a member who may have missed it is notified.
    (await signIn()).channel("room:new", PRIVATE).subscribe();
    await expect.poll(() => statuses.filter((status) => status === "SUBSCRIBED").length).toBe(2);
    await sql`select realtime.send('{"back": true}', 'news', 'room:forgotten', true)`;
    await expect.poll(() => heard).toEqual([{ back: true }]);
  });

  it("that could not be opened is none, and says so", async () => {
    const { sql } = server.database;
    const { token } = await server.signIn(organization.users.owner);
    const { socket, frames, say } = await rawClient();
    await sql`revoke insert on realtime.listeners from service_role`;
    try {
      say(["1", "1", "realtime:room:broken", "phx_join", joining(token)]);
      await expect
        .poll(frames)
        .toContainEqual([
          "1",
          "1",
          "realtime:room:broken",
          "phx_reply",
          { status: "error", response: { reason: expect.stringContaining("InternalError") } },
        ]);
    } finally {
      await sql`grant insert on realtime.listeners to service_role`;
    }
    say(["2", "2", "realtime:room:sound", "phx_join", joining(token)]);
    await expect.poll(frames).toHaveLength(2);
    await broadcast("room:broken");
    await broadcast("room:sound");
    await expect.poll(frames).toHaveLength(3);
    expect(frames().at(-1)).toMatchObject([null, null, "realtime:room:sound", "broadcast", {}]);
    socket.close();
  });

  it("takes what the database sends, and what a server sends by HTTP", async () => {
    const client = await signIn();
    const channel = client.channel("room", PRIVATE);
    const heard = hear(channel);
    await subscribe(channel);
    const { sql } = server.database;
    await sql`select realtime.send('{"from": "database"}', 'news', 'room', true)`;
    await expect.poll(() => heard).toEqual([{ from: "database" }]);
    const post = (headers: Record<string, string>, path = "", body: unknown = { from: "server" }) =>
      fetch(`${server.url}/realtime/v1/api/broadcast${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
    const { secretKey, publishableKey } = server.running.secrets;
    const messages = { messages: [{ topic: "room", event: "news", payload: { from: "list" } }] };
    expect((await post({ apikey: secretKey }, "", messages)).status).toBe(202);
    expect((await post({ apikey: secretKey }, "/room/events/news")).status).toBe(202);
    await expect
      .poll(() => heard)
      .toEqual([{ from: "database" }, { from: "list" }, { from: "server" }]);
    const sender = (await signIn()).channel("room", PRIVATE);
    expect(await sender.httpSend("news", { from: "client" })).toEqual({ success: true });
    await expect.poll(() => heard.at(-1)).toEqual({ from: "client" });
    expect((await post({ apikey: publishableKey }, "", messages)).status).toBe(403);
    expect((await post({ apikey: publishableKey }, "/room/events/news")).status).toBe(403);
    const quiet = (await signIn()).channel("room:quiet", PRIVATE);
    await expect(quiet.httpSend("news", {})).rejects.toThrow("Unauthorized");
    expect(heard).toHaveLength(4);
  });
});

/** A connection without the client: what it says, and what it was told. */
async function rawClient() {
  const { publishableKey } = server.running.secrets;
  const socket = new ws(
    `${server.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`,
  );
  const told: unknown[] = [];
  socket.on("message", (data) => told.push(JSON.parse(data.toString())));
  await once(socket, "open");
  return {
    socket,
    frames: () => told,
    say: (frame: unknown) => socket.send(JSON.stringify(frame)),
  };
}

/**
 * Intervals set from now on, which run early on request. Only those of one length: the watch over the database sets
 * intervals in this process as well, and takes a minute that passes at once for a silence.
 */
function earlyIntervals() {
  const spy = vi.spyOn(globalThis, "setInterval");
  return {
    run(milliseconds: number) {
      for (const [callback, length] of spy.mock.calls) if (length === milliseconds) callback();
    },
  };
}

const joining = (token: string) => ({ access_token: token, config: { private: true } });

/** Sends a message to a topic with the secret key. */
async function broadcast(topic: string): Promise<void> {
  const { status } = await fetch(
    `${server.url}/realtime/v1/api/broadcast/${encodeURIComponent(topic)}/events/news`,
    { method: "POST", headers: { apikey: server.running.secrets.secretKey }, body: "{}" },
  );
  expect(status).toBe(202);
}

describe("nobody hears", () => {
  it("without a session, in public, or where no policy lets them", async () => {
    const visitor = server.client();
    clients.push(visitor);
    expect(await subscribe(visitor.channel("room", PRIVATE))).toMatchObject({
      status: "CHANNEL_ERROR",
      reason: expect.stringContaining("InvalidJWTToken"),
    });
    const client = await signIn();
    expect(await subscribe(client.channel("room"))).toMatchObject({
      status: "CHANNEL_ERROR",
      reason: expect.stringContaining("PrivateOnly"),
    });
    expect(await subscribe(client.channel("elsewhere", PRIVATE))).toMatchObject({
      status: "CHANNEL_ERROR",
      reason: expect.stringContaining("Unauthorized"),
    });
  });

  it("a member who may only read, and nothing is written for them", async () => {
    const [writer, reader] = [await signIn("owner"), await signIn("member")];
    const out = writer.channel("room:quiet", {
      config: { private: true, broadcast: { ack: true } },
    });
    const into = reader.channel("room:quiet", PRIVATE);
    const heard = hear(into);
    await subscribe(out);
    await subscribe(into);
    expect(await out.send({ type: "broadcast", event: "news", payload: {} })).toBe("error");
    expect(await out.track({ name: "Une" })).toBe("error");
    await server.database.sql`select realtime.send('{"last": true}', 'news', 'room:quiet', true)`;
    await expect.poll(() => heard).toEqual([{ last: true }]);
  });

  it.each([
    ["another key", "apikey=sb_publishable_other&vsn=2.0.0", 401],
    ["no key", "vsn=2.0.0", 401],
    ["another version", "vsn=3.0.0", 400],
  ])("with %s", async (_, query, status) => {
    const socket = new ws(`${server.url.replace("http", "ws")}/realtime/v1/websocket?${query}`);
    const [, response] = await once(socket, "unexpected-response");
    expect(response.statusCode).toBe(status);
  });

  it.each([
    ["says what is no message", ["?"], 1008],
    [
      "names a channel that no database can store",
      ['["1","1","realtime:a\\u0000b","phx_join",{}]'],
      1008,
    ],
    [
      "says too much at once",
      Array.from({ length: 200 }, (_, ref) => `[null,"${ref}","phoenix","heartbeat",{}]`),
      1008,
    ],
    [
      "says something too long",
      [`["1","1","realtime:a","phx_join",{"x":"${"x".repeat(100_000)}"}]`],
      1009,
    ],
  ])("who %s", async (_, messages, code) => {
    const { publishableKey } = server.running.secrets;
    const socket = new ws(
      `${server.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`,
    );
    await once(socket, "open");
    const closed = once(socket, "close");
    for (const message of messages) socket.send(message);
    expect((await closed)[0]).toBe(code);
  });

  it("who asks with an address that is none", async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.write("GET // HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 404 /);
    // The server keeps no side open for whoever keeps theirs.
    await once(socket.resume(), "end");
    socket.destroy();
  });

  it("who joins nothing, whatever they say instead", async () => {
    const intervals = earlyIntervals();
    const { socket, frames, say } = await rawClient();
    say([null, "1", "realtime:room", "broadcast", {}]);
    say(["2", "2", "realtime:room", "phx_join", joining("nobody's")]);
    await expect.poll(frames).toHaveLength(2);
    const closed = once(socket, "close");
    intervals.run(30_000);
    expect((await closed)[0]).toBe(1008);
  });

  it("a member who was removed, a minute later, though they say nothing", async () => {
    const intervals = earlyIntervals();
    const { sql } = server.database;
    const fresh = await createOrganization(sql);
    const { token } = await server.signIn(fresh.users.cashier);
    const { socket, frames, say } = await rawClient();
    const topic = `realtime:organization:${fresh.id}:codes`;
    say(["1", "1", topic, "phx_join", joining(token)]);
    await expect.poll(frames).toHaveLength(1);
    intervals.run(60_000);
    await sql`delete from public.organization_members where user_id = ${fresh.users.cashier.id}`;
    intervals.run(60_000);
    await expect.poll(frames).toHaveLength(3);
    expect(frames().slice(1)).toMatchObject([
      ["1", null, topic, "system", { status: "error" }],
      ["1", null, topic, "phx_close", {}],
    ]);
    socket.close();
  });

  it("a session that was ended, from its next renewal on", async () => {
    const { sql } = server.database;
    const { client, token } = await server.signIn(organization.users.admin);
    clients.push(client);
    await client.realtime.setAuth(token);
    expect(
      (await subscribe(client.channel(`organization:${organization.id}:activity`, PRIVATE))).status,
    ).toBe("SUBSCRIBED");
    await sql`delete from auth.sessions where user_id = ${organization.users.admin.id}`;
    await client.removeAllChannels();
    await client.realtime.setAuth(token);
    expect(
      await subscribe(client.channel(`organization:${organization.id}:activity`, PRIVATE)),
    ).toMatchObject({
      status: "CHANNEL_ERROR",
    });
  });
});

describe("an organisation's changes", () => {
  const ALLOWED: Record<Role, readonly string[]> = {
    owner: ["activity", "codes", "plan"],
    admin: ["activity", "codes", "plan"],
    member: ["activity", "codes", "plan"],
    cashier: ["codes", "plan"],
  };
  const KINDS = ["activity", "codes", "plan", "other"];

  it.each(ROLES)("are heard by the role %s as far as it may read them", async (role) => {
    const fresh = await createOrganization(server.database.sql);
    const client = await signIn(role, server, fresh);
    for (const kind of KINDS) {
      const { status } = await subscribe(
        client.channel(`organization:${fresh.id}:${kind}`, PRIVATE),
      );
      const wanted = ALLOWED[role].includes(kind) ? "SUBSCRIBED" : "CHANNEL_ERROR";
      expect([kind, status]).toEqual([kind, wanted]);
    }
  });

  it.each(ROLES)(
    "are heard by the role %s of a closed one: its plan, and the till",
    async (role) => {
      const { sql } = server.database;
      const fresh = await createOrganization(sql);
      await sql`
      update public.subscriptions set status = 'canceled', closed_at = ${daysFromNow(-31)}
      where org_id = ${fresh.id}`;
      const client = await signIn(role, server, fresh);
      const channels = KINDS.map((kind) =>
        client.channel(`organization:${fresh.id}:${kind}`, PRIVATE),
      );
      const heard = channels.map((channel) => hear(channel, "change"));
      const joined = await Promise.all(channels.map(subscribe));
      expect(joined.map(({ status }) => status === "SUBSCRIBED")).toEqual([
        false,
        true,
        true,
        false,
      ]);
      // That somebody looked at the row is no news.
      await sql`update public.subscriptions set reconciled_at = now(), status = status where org_id = ${fresh.id}`;
      await sql`
      update public.subscriptions set status = 'active', closed_at = null where org_id = ${fresh.id}`;
      const news = [{ kind: "organization", id: fresh.id }];
      await expect.poll(() => heard).toEqual([[], news, news, []]);
    },
  );

  it("are heard by no other tenant, and name nobody", async () => {
    const { sql } = server.database;
    const stranger = await createOrganization(sql);
    const foreign = await signIn("owner", server, stranger);
    for (const kind of KINDS) {
      const channel = foreign.channel(`organization:${organization.id}:${kind}`, PRIVATE);
      expect((await subscribe(channel)).status).toBe("CHANNEL_ERROR");
    }
    const topic = `organization:${organization.id}:activity`;
    const channel = (await signIn("owner", other)).channel(topic, PRIVATE);
    const heard = hear(channel, "change");
    await subscribe(channel);
    const campaign = await createCampaign(sql, {
      orgId: organization.id,
      storeId: organization.storeId,
    });
    await server.call("scan", { slug: campaign.slug, source: "qr" });
    await expect
      .poll(() => heard)
      .toEqual([{ kind: "scan", id: expect.any(String), campaign_id: campaign.id }]);
  });

  it("tell of a review by a name that opens nothing: no phone gets its code by it", async () => {
    const { sql } = server.database;
    const fresh = await createOrganization(sql);
    const campaign = await createCampaign(sql, { orgId: fresh.id, storeId: fresh.storeId });
    await giveRole(sql, fresh.users.member, { orgId: fresh.id, permissions: ["activity.read"] });
    const client = await signIn("member", server, fresh);
    const channel = client.channel(`organization:${fresh.id}:activity`, PRIVATE);
    const heard = hear(channel, "change");
    await subscribe(channel);
    const { review_id: reviewId } = await review(sql, { campaignId: campaign.id });
    await expect.poll(() => heard).toMatchObject([{ kind: "review", campaign_id: campaign.id }]);
    expect(JSON.stringify(heard)).not.toContain(reviewId);
    // The same by which the inbox names it.
    const [row] = await sql<{ alias: string }[]>`select private.alias_of(${reviewId}) as alias`;
    expect(heard).toMatchObject([{ id: row?.alias }]);
  });
});
