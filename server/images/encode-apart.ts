import { fork } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { Logos } from "../../supabase/functions/_shared/http/deps.ts";
import type { EncodedLogo } from "../../supabase/functions/_shared/images/encode-logo.ts";
import { ROOT } from "../root.ts";

/** A picture that takes longer is no logo. */
const TIMEOUT_MS = 30_000;

/** The sources, which are not part of the server's bundle; the process reads them itself. */
const PROGRAM = new URL("server/images/logo-process.ts", ROOT);
const LOADER = pathToFileURL(createRequire(new URL("package.json", ROOT)).resolve("tsx")).href;

const bytes = z.instanceof(Uint8Array).transform((value) => new Uint8Array(value));
const encoded = z.object({ screen: bytes, print: bytes, width: z.int(), height: z.int() });

/**
 * Encodes a logo in a process of its own: a second of work would keep every phone waiting, and what a picture breaks or
 * fills is only its own.
 */
export const encodeApart: Logos["encode"] = (picture, type) =>
  new Promise((resolve) => {
    const child = fork(PROGRAM, [], {
      execArgv: ["--import", LOADER],
      // Nothing that it needs, and none of our secrets.
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const end = (logo: EncodedLogo | null) => {
      clearTimeout(timer);
      resolve(logo);
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => end(null), TIMEOUT_MS);
    child.once("message", (message) => end(encoded.safeParse(message).data ?? null));
    // Unreadable bytes are the picture's fault, which its sender is shown. A process that cannot be
    // started complains twice, also that it was written to: there is no other listener.
    child.on("error", () => end(null));
    child.once("exit", () => end(null));
    child.send({ bytes: picture, type });
  });
