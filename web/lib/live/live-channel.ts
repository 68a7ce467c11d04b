import { RealtimeClient } from "@supabase/realtime-js";
import * as z from "zod/mini";
import type { App } from "../app-context.ts";

/** Shortest time between two calls of a listener, in milliseconds: a busy shop changes many times a second. */
const PAUSE_MS = 2_000;

/** Pause before a channel that the server has closed is joined again, in milliseconds. */
const REJOIN_MS = 10_000;

/** Longest age of what an open screen shows, in milliseconds: « Il y a 5 min » and today grow old without any change. */
const AGE_MS = 10 * 60_000;

/** Channels of an organisation (`private.may_hear`). */
export type LiveKind = "activity" | "codes" | "plan";

/** Kinds of changes, as the triggers of `25_live_changes.sql` name them. */
const change = z.enum(["scan", "review", "spin", "win", "code", "organization"]);
type Change = z.infer<typeof change>;

const message = z.object({ payload: z.object({ kind: change }) });

/** News for a listener: the changed kinds, or a gap in which something may have been missed, a new day too. */
export type Heard = { kinds: ReadonlySet<Change>; isGap: boolean };

let socket: { client: RealtimeClient; app: App } | null = null;

/** The one connection of this page; it opens with its first channel and closes with its last. */
function connect(app: App): RealtimeClient {
  if (socket?.app === app) return socket.client;
  const { supabase_url, publishable_key } = app.config;
  const client = new RealtimeClient(`${supabase_url.replace(/^http/, "ws")}/realtime/v1`, {
    params: { apikey: publishable_key },
    disconnectOnEmptyChannelsAfterMs: 0,
    accessToken: async () =>
      (await app.supabase.auth.getSession()).data.session?.access_token ?? null,
  });
  socket = { client, app };
  return client;
}

/**
 * Listens to what changes in an organisation, and answers how to stop. Where there is no such service, or no way to it,
 * nothing is heard: screens ask as they always did.
 */
export function listen(
  app: App,
  { orgId, kind }: { orgId: string; kind: LiveKind },
  onChange: (heard: Heard) => void,
): () => void {
  const client = connect(app);
  let waiting: { kinds: Set<Change>; isGap: boolean } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rejoin: ReturnType<typeof setTimeout> | undefined;
  let hasJoined = false;
  let isOver = false;

  const tell = () => {
    timer = undefined;
    if (!waiting || isOver || document.hidden) return;
    const heard = waiting;
    waiting = null;
    timer = setTimeout(tell, PAUSE_MS);
    onChange(heard);
  };
  const note = (change: Change | null) => {
    waiting ??= { kinds: new Set(), isGap: false };
    if (change) waiting.kinds.add(change);
    else waiting.isGap = true;
    if (timer === undefined) tell();
  };
  // A hidden page refetches nothing until it is visible.
  const onVisible = () => {
    if (timer === undefined) tell();
  };
  document.addEventListener("visibilitychange", onVisible);
  const clock = setInterval(() => note(null), AGE_MS);

  const open = async () => {
    // The channel's first word is the token: a client without one is refused.
    await client.setAuth();
    if (isOver) return;
    const channel = client.channel(`organization:${orgId}:${kind}`, { config: { private: true } });
    channel.on("broadcast", { event: "change" }, (sent) => {
      const read = message.safeParse(sent);
      if (read.success) note(read.data.payload.kind);
    });
    channel.subscribe((status) => {
      if (status === "SUBSCRIBED") {
        if (hasJoined) note(null);
        hasJoined = true;
      } else if (status === "CLOSED" && !isOver) {
        openLater();
      }
    });
    leave = () => void client.removeChannel(channel);
  };
  const openLater = () => {
    clearTimeout(rejoin);
    rejoin = setTimeout(() => void open().catch(openLater), REJOIN_MS);
  };
  let leave = () => {};
  open().catch(openLater);

  return () => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(rejoin);
    clearInterval(clock);
    document.removeEventListener("visibilitychange", onVisible);
    leave();
  };
}
