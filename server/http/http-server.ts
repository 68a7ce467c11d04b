import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { StartupError } from "../start/startup-error.ts";
import { settleTarget } from "./request-target.ts";

/** How long requests in flight may take to finish when the server stops. */
const STOP_MS = 10_000;

/** How long a client may take to send and to read, in milliseconds. */
export type ClientTimeouts = {
  /** Milliseconds until the last header. */
  headersMs: number;
  /** Milliseconds until the last byte of the body. */
  requestMs: number;
  /** Milliseconds without a byte in either direction while an answer is under way: longer than the proxies in front wait. */
  stalledMs: number;
};

const CLIENT_TIMEOUTS: ClientTimeouts = {
  headersMs: 15_000,
  requestMs: 30_000,
  stalledMs: 120_000,
};

/** Requests of one connection that may wait for their answers: browsers and proxies send one after the other. */
const MAX_PIPELINED_REQUESTS = 16;

/** Checks for slow clients in each `requestMs`; Node's default is one every 30 seconds. */
const CHECKS_PER_TIMEOUT = 30;

/** Accepts a connection that upgrades to WebSocket; false for a path without one. */
type UpgradeListener = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** A server that listens, or is about to. */
export type HttpServer = {
  port: number;
  /** Node's own, for what needs it. */
  server: Server;
  /** Starts to listen, if it does not yet, and to answer, those first who waited. */
  answerWith(listener: RequestListener, upgrade?: UpgradeListener): Promise<void>;
  /** Takes no new connections, finishes what is in flight (ten seconds at most), and closes. */
  stop(): Promise<void>;
};

/**
 * Finds out at once, before anything slow is begun, whether the port can be had. It is opened when requests can be answered: a
 * balancer in front sends no request to a process that is still starting. A port without a given number is kept from
 * the beginning; early requests wait for their answer.
 */
export async function listen(
  host: string,
  port: number,
  { headersMs, requestMs, stalledMs }: ClientTimeouts = CLIENT_TIMEOUTS,
): Promise<HttpServer> {
  let listener: RequestListener | null = null;
  let isStopping = false;
  const waiting: [IncomingMessage, ServerResponse<IncomingMessage>][] = [];
  const inFlight = new Map<Socket, Set<ServerResponse>>();

  /** Answers under way of a connection. Node notifies only the one that is being written when its connection is lost. */
  const answersOf = (socket: Socket): Set<ServerResponse> => {
    const known = inFlight.get(socket);
    if (known) return known;
    const answers = new Set<ServerResponse>();
    inFlight.set(socket, answers);
    socket.once("close", () => {
      inFlight.delete(socket);
      process.nextTick(() => {
        for (const response of answers) response.emit("close");
      });
    });
    return answers;
  };

  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: requestMs / CHECKS_PER_TIMEOUT,
      // Longer than the proxies in front keep theirs, so that they never write to a closed one.
      keepAliveTimeout: 65_000,
    },
    (incoming, response) => {
      const { socket } = incoming;
      // Node goes on with what it has read of a connection that was cut.
      if (socket.destroyed) return;
      const answers = answersOf(socket);
      if (answers.size >= MAX_PIPELINED_REQUESTS) {
        socket.destroy();
        return;
      }
      const isSound = settleTarget(incoming);
      if (isStopping || !isSound) response.setHeader("connection", "close");
      answers.add(response);
      response.once("close", () => answers.delete(response));
      if (!isSound) response.writeHead(400, { "content-length": 0 }).end();
      else if (listener) listener(incoming, response);
      else waiting.push([incoming, response]);
    },
  );
  server.setTimeout(stalledMs);
  server.on("clientError", (error, socket) => {
    // More of the same arrives while its refusal leaves.
    if (socket.writableEnded) return;
    const answers = socket instanceof Socket ? [...(inFlight.get(socket) ?? [])] : [];
    const hasBegun = answers.some((response) => response.headersSent);
    if (!socket.writable || hasBegun) socket.destroy();
    else refuseUnreadable(socket, errorCode(error));
  });
  const open = async () => {
    server.listen(port, host);
    try {
      await once(server, "listening");
    } catch (error) {
      throw listenRefusal(error, host, port);
    }
  };
  await open();
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  if (port !== 0) {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  return {
    port: address.port,
    server,
    async answerWith(ready, upgrade = () => false) {
      listener = ready;
      server.on("upgrade", (incoming, socket, head) => {
        // Node takes its own listener away; an error without a listener ends the process.
        socket.on("error", () => socket.destroy());
        if (!settleTarget(incoming)) return refuseOffer(socket);
        const isWebSocket = incoming.headers.upgrade?.toLowerCase() === "websocket";
        if (isWebSocket && upgrade(incoming, socket, head)) return;
        // The development server listens as well, for its own address.
        if (isWebSocket && server.listenerCount("upgrade") > 1) return;
        answerPlainly(incoming, socket, ready);
      });
      if (!server.listening) await open();
      for (const [incoming, response] of waiting.splice(0)) ready(incoming, response);
    },
    async stop() {
      isStopping = true;
      for (const [, response] of waiting.splice(0)) response.destroy();
      // So that their clients send no further request on the same connection.
      for (const response of [...inFlight.values()].flatMap((answers) => [...answers])) {
        if (!response.headersSent) response.setHeader("connection", "close");
      }
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      const deadline = setTimeout(() => server.closeAllConnections(), STOP_MS);
      await closed;
      clearTimeout(deadline);
    },
  };
}

/**
 * Answers by HTTP/1.1 a client that offers another protocol (HTTP/2 without TLS, say), as Node does where nothing
 * listens for such offers. Node reads no body then, so that nothing but a read can be answered.
 */
function answerPlainly(incoming: IncomingMessage, socket: Duplex, listener: RequestListener): void {
  if (!(socket instanceof Socket) || (incoming.method !== "GET" && incoming.method !== "HEAD")) {
    refuseOffer(socket);
    return;
  }
  const response = new ServerResponse(incoming);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once("finish", () => {
    response.detachSocket(socket);
    // A side that stays open would never be closed: no time limit of Node's applies any more.
    socket.destroySoon();
  });
  listener(incoming, response);
}

/** Refuses an offer of another protocol, and closes. */
function refuseOffer(socket: Duplex): void {
  refuseOn(socket, "400 Bad Request");
}

const HEADERS_TOO_LARGE = JSON.stringify({
  code: "headers_too_large",
  details: null,
  hint: "Send shorter lists, in several requests",
  message: "The address and the headers are too large",
});

/** Refuses what is no request that can be read, and closes: with the statuses of Node, which gives no reason. */
function refuseUnreadable(socket: Duplex, code: string): void {
  if (code === "HPE_HEADER_OVERFLOW") {
    const type =
      "content-type: application/json; charset=utf-8\r\naccess-control-allow-origin: *\r\n";
    refuseOn(socket, "431 Request Header Fields Too Large", type, HEADERS_TOO_LARGE);
  } else if (code === "ERR_HTTP_REQUEST_TIMEOUT") refuseOn(socket, "408 Request Timeout");
  else if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") refuseOn(socket, "413 Payload Too Large");
  else refuseOn(socket, "400 Bad Request");
}

function refuseOn(socket: Duplex, status: string, headers = "", body = ""): void {
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function listenRefusal(error: unknown, host: string, port: number): unknown {
  const code = errorCode(error);
  const options = { cause: error };
  if (code === "EADDRINUSE") return new StartupError("port_taken", { port }, options);
  if (code === "EACCES") return new StartupError("port_forbidden", { port }, options);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new StartupError("host_unavailable", { host }, options);
  }
  return error;
}
