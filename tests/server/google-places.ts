import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** Answer of Google's Place Details. */
type Verdict = { status: number; body: unknown };

/** A request as Google gets it. */
type Asked = { path: string; headers: IncomingHttpHeaders };

/** In place of Google's Places API (New), which no test can reach: it needs an account that pays. */
export type GooglePlaces = {
  url: string;
  asked: Asked[];
  /** How the questions that come from now on fare; null cuts the line. */
  answer(verdict: Verdict | null): void;
  stop(): Promise<void>;
};

const info = (reason: string) => ({
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason,
  domain: "googleapis.com",
  metadata: { service: "places.googleapis.com" },
});

/**
 * Answers as Google documents them: the fields of Place (https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places),
 * errors in the form of https://cloud.google.com/apis/design/errors with the reasons of google/api/error_reason.proto, and a place
 * that is gone as of https://developers.google.com/maps/documentation/places/web-service/place-id#save-id.
 */
export const ANSWERS = {
  shown: { status: 200, body: { rating: 4.6, userRatingCount: 213 } },
  /** Numbers that are zero are left out. */
  unreviewed: { status: 200, body: {} },
  gone: {
    status: 404,
    body: {
      error: {
        code: 404,
        message:
          "The provided Place ID is no longer valid. Please refresh cached Place IDs as per https://developers.google.com/maps/documentation/places/web-service/place-id#save-id",
        status: "NOT_FOUND",
      },
    },
  },
  malformed: {
    status: 400,
    body: {
      error: { code: 400, message: "Not a valid Place ID: ChIJx", status: "INVALID_ARGUMENT" },
    },
  },
  wrongKey: {
    status: 400,
    body: {
      error: {
        code: 400,
        message: "API key not valid. Please pass a valid API key.",
        status: "INVALID_ARGUMENT",
        details: [info("API_KEY_INVALID")],
      },
    },
  },
  switchedOff: {
    status: 403,
    body: {
      error: {
        code: 403,
        message: "Places API (New) has not been used in project 123 before or it is disabled.",
        status: "PERMISSION_DENIED",
        details: [info("SERVICE_DISABLED")],
      },
    },
  },
  tooMany: {
    status: 429,
    body: {
      error: {
        code: 429,
        message:
          "Quota exceeded for quota metric 'GetPlaceRequest' of service 'places.googleapis.com'.",
        status: "RESOURCE_EXHAUSTED",
        details: [info("RATE_LIMIT_EXCEEDED")],
      },
    },
  },
  trouble: { status: 503, body: "<html>Service Unavailable</html>" },
} as const satisfies Record<string, Verdict>;

/** Starts it on a free port of this machine. */
export async function startGooglePlaces(): Promise<GooglePlaces> {
  let verdict: Verdict | null = ANSWERS.shown;
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? "", headers: request.headers });
    if (verdict === null) {
      request.socket.destroy();
      return;
    }
    const { status, body } = verdict;
    const isText = typeof body === "string";
    response.writeHead(status, { "content-type": isText ? "text/html" : "application/json" });
    response.end(isText ? body : JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    answer: (next) => {
      verdict = next;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
