import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { Deployed } from "./management-api.ts";

/** Version that the platform's runtime of functions is made of, by the manifest of supabase/edge-runtime. */
const DENO = "deno@2.1.4";

/** How many start at once; each takes a processor while it does. */
const CONCURRENCY = 3;

/** Functions that run, each by its own address. */
export type RunningFunctions = {
  addressOf: ReadonlyMap<string, string>;
  /** Lines of the functions' logs. */
  logged: readonly string[];
  stop(): Promise<void>;
};

/** Where npm has put the Deno that it fetches for the occasion. */
async function findDeno(): Promise<string> {
  const asked = spawn("npx", ["--yes", DENO, "eval", "console.log(Deno.execPath())"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return (await text(asked.stdout)).trim();
}

/**
 * Starts each function in a Deno of its own, with the files and the import map that were uploaded for it and nothing
 * else. Each ends with its standard input.
 */
export async function startFunctions(
  folder: string,
  functions: readonly Deployed[],
  env: Record<string, string>,
): Promise<RunningFunctions> {
  const deno = await findDeno();
  const running: ChildProcess[] = [];
  const addressOf = new Map<string, string>();
  const logged: string[] = [];
  const start = async (deployed: Deployed) => {
    const { name, child, port } = await startOne(deno, folder, deployed, env, logged);
    running.push(child);
    addressOf.set(name, `http://127.0.0.1:${port}`);
  };
  const stop = async () => {
    await Promise.all(
      running.map(async (child) => {
        if (child.exitCode !== null) return;
        const ended = once(child, "exit");
        child.stdin?.end();
        await ended;
      }),
    );
  };
  try {
    const [first, ...others] = functions;
    // Alone: it fetches what the others find at hand.
    if (first) await start(first);
    for (let index = 0; index < others.length; index += CONCURRENCY) {
      await Promise.all(others.slice(index, index + CONCURRENCY).map(start));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { addressOf, logged, stop };
}

async function startOne(
  deno: string,
  folder: string,
  { name, files, entrypoint_path, import_map_path }: Deployed,
  env: Record<string, string>,
  logged: string[],
) {
  const root = join(folder, "deployed", name);
  for (const [path, content] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const main = join(root, "main.ts");
  await writeFile(main, mainOf(entrypoint_path));
  const child = spawn(
    deno,
    [
      ...["run", "--quiet", "-A", "--no-check", "--no-lock", "--no-config"],
      ...["--node-modules-dir=none", "--no-prompt"],
      ...(import_map_path ? [`--import-map=${join(root, import_map_path)}`] : []),
      main,
    ],
    {
      cwd: root,
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        // Variables by which the machine reaches the registry: proxies, certificates.
        ...process.env,
        DENO_DIR: join(folder, "deno"),
        DENO_NO_UPDATE_CHECK: "1",
        // Certificates of a proxy in front of the registry are the system's.
        DENO_TLS_CA_STORE: "mozilla,system",
        ...env,
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}.`)));
    const read = (line: string) => {
      const [, told] = /^listening on (\d+)$/.exec(line) ?? [];
      if (told) return resolve(Number(told));
      logged.push(line);
      process.stderr.write(`${name}: ${line}\n`);
    };
    createInterface(child.stdout).on("line", read);
    createInterface(child.stderr).on("line", read);
  });
  return { name, child, port };
}

/** Serves what a function exports, as the platform does: of what it writes, the console alone is read. */
function mainOf(entrypoint: string): string {
  return `
import process from "node:process";
process.stdout.write = process.stderr.write = () => true;
import served from "./${entrypoint}";
const onListen = ({ port }) => console.log("listening on " + port);
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, (request) => served.fetch(request));
for await (const _ of Deno.stdin.readable);
Deno.exit();
`;
}
