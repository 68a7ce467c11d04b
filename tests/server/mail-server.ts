import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";

/** A mail as it came over the wire. */
type Received = {
  from: string;
  to: string[];
  /** Header fields by lower-case name, unfolded. */
  headers: Map<string, string>;
  /** Everything, as text. */
  raw: string;
};

/** Answer of the server to a mail: none (it is taken), or an SMTP refusal. */
type Verdict = { code: number; at: "recipient" | "content" } | null;

/** A real SMTP server on a free port of this machine. */
export type MailServer = {
  /** Value that `SMTP_URL` would have. */
  url: string;
  received: Received[];
  /** Sends that got as far as their content, answered or not. */
  attempts(): number;
  /** How the mails that come from now on fare. */
  answer(verdict: Verdict): void;
  /** Leaves mails unanswered until the function that it gives is called. */
  hold(): () => void;
  stop(): Promise<void>;
};

/** Starts a mail server; it stops with the test. */
export async function startMailServer(): Promise<MailServer> {
  const received: Received[] = [];
  let verdict: Verdict = null;
  let gate: Promise<void> = Promise.resolve();
  let attempts = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onRcptTo(_address, _session, callback) {
      callback(verdict?.at === "recipient" ? refusal(verdict.code) : null);
    },
    onData(stream, session, callback) {
      let raw = "";
      stream.setEncoding("utf8").on("data", (part: string) => {
        raw += part;
      });
      stream.on("end", async () => {
        attempts += 1;
        const answer = verdict;
        await gate;
        if (answer) return callback(refusal(answer.code));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          headers: readHeaders(raw),
          raw,
        });
        callback();
      });
    },
  });
  // Clients that are killed break their connections.
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  let open: () => void = () => undefined;
  onTestFinished(async () => {
    open();
    await stop();
  });
  return {
    url: `smtp://127.0.0.1:${portOf(server.server.address())}`,
    received,
    attempts: () => attempts,
    answer(next) {
      verdict = next;
    },
    hold() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
    stop,
  };
}

function refusal(code: number): Error {
  return Object.assign(new Error("refused by the test"), { responseCode: code });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function readHeaders(raw: string): Map<string, string> {
  const [head = ""] = raw.split("\r\n\r\n");
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
