import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../server/root.ts";

const CLI = "supabase@3.1.0";

/** Runs one command of the official CLI; answers all that it says, and throws where it fails. */
export type Cli = (...args: string[]) => Promise<string>;

/** Copies what makes the project into a folder, with settings of its own, and readies the CLI there. */
export async function prepareCli(
  folder: string,
  apiUrl: string,
  env: Record<string, string>,
): Promise<Cli> {
  const workdir = join(folder, "project");
  await mkdir(workdir, { recursive: true });
  await cp(fileURLToPath(new URL("supabase/", ROOT)), join(workdir, "supabase"), {
    recursive: true,
    filter: (file) => !/\/supabase\/\.(env|temp)$/.test(file),
  });
  const lines = Object.entries(env).map(([name, value]) => `${name}='${value}'\n`);
  await writeFile(join(workdir, "supabase", ".env"), lines.join(""));
  const profile = join(folder, "profile.yaml");
  const urls = ["api_url", "dashboard_url", "docs_url"].map((name) => `${name}: ${apiUrl}\n`);
  await writeFile(profile, `name: stand-in\n${urls.join("")}project_host: localhost\n`);
  return async (...args) => {
    const at = args.includes("--workdir") ? [] : ["--workdir", workdir];
    const child = spawn(
      "npx",
      ["--yes", CLI, ...args, "--yes", "--agent", "no", ...at, "--profile", profile],
      {
        cwd: workdir,
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          ...process.env,
          HOME: folder,
          npm_config_cache: process.env.npm_config_cache ?? join(process.env.HOME ?? "", ".npm"),
          SUPABASE_ACCESS_TOKEN: `sbp_${"0".repeat(40)}`,
          SUPABASE_TELEMETRY_DISABLED: "1",
        },
      },
    );
    const [said, complained, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    if (code !== 0) throw new Error(`supabase ${args.join(" ")}:\n${said}${complained}`);
    return `${said}${complained}`;
  };
}
