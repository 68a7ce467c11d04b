import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { Sql } from "postgres";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { type CommandOptions, type DataConfig, readDataConfig } from "../config/config.ts";
import { existingDataFolder } from "../config/data-folder.ts";
import { withSetup } from "../postgres/open-setup.ts";
import { reachDatabase } from "../postgres/reach-database.ts";
import { fillText } from "../start/fill-text.ts";
import { StartupError } from "../start/startup-error.ts";
import { endAllSessions, removeFactors } from "./accounts.ts";
import { find } from "./find.ts";
import { jobs } from "./jobs.ts";
import { messages } from "./messages.ts";
import { operatorCopy } from "./operator.copy.ts";
import type { OperatorCommand } from "./operator-command.ts";
import { resumeOrganization, suspendOrganization } from "./organizations.ts";
import { eraseSomebody, exportSomebody } from "./personal-data.ts";
import { showTrail } from "./trail.ts";

/** Every command by its name. */
export const COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  find,
  suspend: suspendOrganization,
  resume: resumeOrganization,
  sessions: endAllSessions,
  factors: removeFactors,
  messages,
  jobs,
  export: exportSomebody,
  erase: eraseSomebody,
  trail: showTrail,
};

/** Flags of each command that has any; any other flag is refused, since its effect would not happen. */
const FLAGS_OF: Readonly<Record<string, readonly Flag[]>> = {
  factors: ["check"],
  messages: ["again", "who"],
  export: ["file"],
  erase: ["yes"],
};

/** `npm run operator -- command`. */
export async function runOperator(options: CommandOptions): Promise<void> {
  process.stdout.write(`${await operate(options)}\n`);
}

/** Runs a command of the platform's operator for its merchants; answers the text to print. */
export async function operate({ env, argv, cwd, signal }: CommandOptions): Promise<string> {
  const { values, positionals } = readArguments(argv);
  const [name, argument = null, ...rest] = positionals;
  if (values.help === true || name === undefined) return operatorCopy.help;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new StartupError("operator_unknown_command", { command: name });
  const [surplus] = [...strangersTo(name, values), ...rest];
  if (surplus !== undefined) throw new StartupError("unknown_argument", { argument: surplus });
  const config = readDataConfig({ env, cwd });
  const folder = await existingDataFolder(config);
  await requireSecretKey(folder);
  const given = {
    argument,
    check: values.check ?? null,
    isSure: values.yes === true,
    again: values.again ?? null,
    asksWho: values.who === true,
    file: values.file === undefined ? null : resolve(cwd, values.file),
  };
  const work = (sql: Sql) => sql.begin((transaction) => command(transaction, given));
  return withDatabase({ config, folder, signal }, work).catch((error: unknown) => {
    if (errorCode(error) === NO_TABLE) {
      throw new StartupError("backup_nothing_there", {}, { cause: error });
    }
    if (errorCode(error) !== NO_RIGHT) throw error;
    throw new StartupError("operator_no_right", {}, { cause: error });
  });
}

/** Error code of PostgreSQL for an account that lacks a right. */
const NO_RIGHT = "42501";

/** Error code of PostgreSQL for a table that is not there: no server has been in this database. */
const NO_TABLE = "42P01";

/** Flags of the commands. */
const FLAGS = {
  help: { type: "boolean", short: "h" },
  check: { type: "string" },
  yes: { type: "boolean" },
  again: { type: "string" },
  who: { type: "boolean" },
  file: { type: "string" },
} as const;

type Flag = keyof typeof FLAGS;

const TYPES: ReadonlyMap<string, "boolean" | "string"> = new Map(
  Object.entries(FLAGS).map(([name, { type }]) => [name, type]),
);

/** Flags that this command does not have. */
function strangersTo(command: string, values: Readonly<Record<string, unknown>>): string[] {
  const own: readonly string[] = FLAGS_OF[command] ?? [];
  return Object.keys(values)
    .filter((flag) => !own.includes(flag))
    .map((flag) => `--${flag}`);
}

function readArguments(argv: readonly string[]) {
  const args = [...argv];
  const given = { args, options: FLAGS, allowPositionals: true } as const;
  const { tokens } = parseArgs({ ...given, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    const type = TYPES.get(name);
    if (type === undefined || (type === "boolean" && value !== undefined)) {
      throw new StartupError("unknown_argument", { argument: rawName });
    }
    // « --check --yes » has no value, whatever follows.
    if (
      type === "string" &&
      (value === undefined || (!token.inlineValue && value.startsWith("-")))
    ) {
      throw new StartupError("operator_missing", {
        what: fillText(operatorCopy.valueOf, { flag: rawName }),
      });
    }
  }
  return parseArgs(given);
}

/**
 * Refuses a caller who cannot read the installation's secret key, since they are not its operator.
 * A folder without a key is not its folder.
 */
async function requireSecretKey(folder: string): Promise<void> {
  const key = await readFile(join(folder, "secrets", "secret-key"), "utf8").catch(
    (error: unknown) => {
      throw new StartupError(
        "operator_no_secret_key",
        { folder, reason: errorCode(error) },
        { cause: error },
      );
    },
  );
  if (key.trim() === "") {
    throw new StartupError("operator_no_secret_key", { folder, reason: "EMPTY" });
  }
}

async function withDatabase<T>(
  {
    config,
    folder,
    signal,
  }: { config: DataConfig; folder: string; signal: AbortSignal | undefined },
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const { adminUrl, stop } = await reachDatabase(config, folder);
  try {
    return await withSetup({ adminUrl, application: "tournavis operator", signal }, work);
  } finally {
    await stop();
  }
}
