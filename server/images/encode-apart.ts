import { fork } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { Logos } from "../../supabase/functions/_shared/http/deps.ts";
import type { EncodedLogo } from "../../supabase/functions/_shared/images/encode-logo.ts";
import { ROOT } from "../root.ts";

/** Timeout of a picture: every one that is let in is read in a few seconds of a processor, which others may need first. */
const TIMEOUT_MS = 30_000;

/** The sources, which are not part of the server's bundle; the process reads them itself. */
const PROGRAM = new URL("server/images/logo-process.ts", ROOT);
const LOADER = pathToFileURL(createRequire(new URL("package.json", ROOT)).resolve("tsx")).href;

const bytes = z.instanceof(Uint8Array).transform((value) => new Uint8Array(value));
const encoded = z.object({ screen: bytes, print: bytes, width: z.int(), height: z.int() });

/**
 * Encodes a logo in a process of its own, within so many milliseconds: a second of work would keep every phone waiting, and
 * what a picture breaks or fills is only its own.
 */
export const encodeWithin =
  (timeoutMs: number): Logos["encode"] =>
  (picture, type) =>
    new Promise((resolve) => {
      const child = fork(PROGRAM, [], {
        execArgv: ["--import", LOADER],
        // Nothing that it needs, and none of our secrets.
        env: {},
        serialization: "advanced",
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      });
      const end = (logo: EncodedLogo | "busy" | null) => {
        clearTimeout(timer);
        resolve(logo);
        child.kill("SIGKILL");
      };
      const timer = setTimeout(() => end("busy"), timeoutMs);
      child.once("message", (message) => end(encoded.safeParse(message).data ?? null));
      // Unreadable bytes are the picture's fault, which its sender is shown; a process that cannot be started is not. It complains
      // twice, also that it was written to: there is no other listener.
      child.on("error", () => end(child.pid === undefined ? "busy" : null));
      child.once("exit", () => end(null));
      child.send({ bytes: picture, type });
    });

/** Encodes a logo as long as a busy machine may need. */
export const encodeApart = encodeWithin(TIMEOUT_MS);
