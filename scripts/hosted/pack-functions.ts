import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import { ROOT } from "../../server/root.ts";
import { CODECS } from "../../supabase/functions/_shared/images/encode-logo.ts";
import { packageFile } from "../../supabase/functions/_shared/images/package-file.ts";

/** Most that the platform packs of a function which its management API is sent, in bytes. */
const MAX_BYTES = 5_000_000;

const FUNCTIONS = fileURLToPath(new URL("supabase/functions/", ROOT));

/** Project that holds nothing but the packed functions. */
export const PACKED = fileURLToPath(new URL("dist/hosted/", ROOT));

/** Names of the server functions. */
async function functionNames(): Promise<string[]> {
  const entries = await readdir(FUNCTIONS, { withFileTypes: true });
  return entries.flatMap((entry) =>
    entry.isDirectory() && !entry.name.startsWith("_") ? [entry.name] : [],
  );
}

/**
 * Packs each function with what it uses of its packages into one file of a project of its own, `dist/hosted`, for the CLI to deploy. The
 * platform itself takes the packages whole: 27 to 70 MB a function. Answers their names, and the size of the largest in bytes.
 */
export async function packFunctions(): Promise<{ names: string[]; largest: number }> {
  await rm(PACKED, { recursive: true, force: true });
  const names = await functionNames();
  let largest = 0;
  const project = join(PACKED, "supabase");
  const sections: string[] = [];
  for (const name of names) {
    const code = await packed(name);
    const size = Buffer.byteLength(code);
    if (size > MAX_BYTES) throw new Error(`${name} has ${size} bytes, more than ${MAX_BYTES}.`);
    const folder = join(project, "functions", name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "index.js"), code);
    largest = Math.max(largest, size);
    // Callers are known to the functions: as in supabase/config.toml.
    const entry = `entrypoint = "./functions/${name}/index.js"`;
    sections.push(`[functions.${name}]\nverify_jwt = false\n${entry}\n`);
  }
  await writeFile(
    join(project, "config.toml"),
    ['project_id = "tournavis"\n', ...sections].join("\n"),
  );
  return { names, largest };
}

/** Globals of Node by their module, which Deno gives to packages and to nobody else. */
const NODE_GLOBALS = {
  Buffer: ["node:buffer", "Buffer"],
  process: "node:process",
  setTimeout: ["node:timers", "setTimeout"],
  clearTimeout: ["node:timers", "clearTimeout"],
  setInterval: ["node:timers", "setInterval"],
  clearInterval: ["node:timers", "clearInterval"],
  setImmediate: ["node:timers", "setImmediate"],
  clearImmediate: ["node:timers", "clearImmediate"],
} satisfies Record<string, string | [string, string]>;

async function packed(name: string): Promise<string> {
  const made = await build({
    root: fileURLToPath(ROOT),
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true },
    plugins: [prefixes, packageFiles],
    build: {
      ssr: join(FUNCTIONS, name, "index.ts"),
      write: false,
      target: "es2022",
      rolldownOptions: {
        transform: { inject: NODE_GLOBALS, define: { global: "globalThis" } },
        // Names stay: the log tells where something failed.
        output: { codeSplitting: false, minify: { compress: true, mangle: false } },
      },
    },
  });
  const chunks: Rolldown.OutputChunk[] = [];
  for (const bundle of Array.isArray(made) ? made : [made]) {
    if (!("output" in bundle)) continue;
    for (const part of bundle.output) if (part.type === "chunk") chunks.push(part);
  }
  const [chunk] = chunks;
  if (!chunk || chunks.length > 1) throw new Error(`${name} became ${chunks.length} files.`);
  return chunk.code;
}

/** Packages name Node's own modules without the prefix that Deno asks for. */
const prefixes: Plugin = {
  name: "prefixes",
  enforce: "pre",
  resolveId: (id) =>
    isBuiltin(id) ? { id: id.replace(/^(node:)?/, "node:"), external: true } : null,
};

/** Files of packages come along as text: a packed function has no package beside it. */
const packageFiles: Plugin = {
  name: "package-files",
  async load(id) {
    if (!id.endsWith("/images/package-file.ts")) return null;
    const files: Record<string, string> = {};
    for (const [module, path] of Object.values(CODECS)) {
      files[`${module} ${path}`] = await readFile(packageFile(module, path), "base64");
    }
    return `
      import { Buffer } from "node:buffer";
      const FILES = ${JSON.stringify(files)};
      export async function readPackageFile(module, path) {
        return new Uint8Array(Buffer.from(FILES[module + " " + path], "base64"));
      }`;
  },
};
