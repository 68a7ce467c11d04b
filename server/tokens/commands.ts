import process from "node:process";
import { parseArgs } from "node:util";
import { type CommandOptions, readDataConfig, readSigningKeys } from "../config/config.ts";
import { existingDataFolder } from "../config/data-folder.ts";
import { readMovableSecrets, replaceSigningKeys } from "../config/secrets.ts";
import { fillText } from "../start/fill-text.ts";
import { StartupError } from "../start/startup-error.ts";
import { readKeys } from "./key-ring.ts";
import { keysCopy } from "./keys.copy.ts";
import { nameOf, rotated, type SigningKey, withoutKey, withStandby } from "./signing-keys.ts";

/** Change to the list of keys. */
type Change = (keys: readonly SigningKey[]) => readonly SigningKey[];

/** `npm run keys`: shows the keys that sign access tokens, and takes the steps of their exchange. */
export async function runKeys({ env, argv, cwd }: CommandOptions): Promise<void> {
  const asked = changeOf(argv, new Date());
  if (asked === "help") return say(keysCopy.help);
  const given = readSigningKeys(env);
  if (given !== null) {
    // The operator who set the variable sets it anew.
    return say(asked === null ? describe(given) : `SIGNING_KEYS='${JSON.stringify(asked(given))}'`);
  }
  const folder = await existingDataFolder(readDataConfig({ env, cwd }));
  // Keys made in any other folder would be accepted by no server, and the stolen one would stay valid.
  if (Object.keys(await readMovableSecrets(folder)).length === 0) {
    throw new StartupError("keys_nothing_there", { folder });
  }
  const keys = await readKeys(folder);
  if (asked === null) return say(describe(keys));
  const changed = asked(keys);
  await replaceSigningKeys(folder, JSON.stringify(changed));
  say(describe(changed));
  say(keysCopy.changed);
}

/** Change that the arguments ask for; null to show the keys. */
function changeOf(argv: readonly string[], now: Date): Change | "help" | null {
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    options: {
      help: { type: "boolean", short: "h", default: false },
      hs256: { type: "boolean", default: false },
      now: { type: "boolean", default: false },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  if (values.help === true) return "help";
  const [step, name, ...rest] = positionals;
  const known = step === "standby" ? ["hs256"] : step === "revoke" ? ["now"] : [];
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    if (!known.includes(token.name) || token.value !== undefined) refuse(token.rawName);
  }
  const surplus = step === "revoke" ? rest[0] : name;
  if (surplus !== undefined) refuse(surplus);
  if (step === undefined) return null;
  if (step === "standby") {
    return (keys) => withStandby(keys, values.hs256 === true ? "HS256" : "ES256", now);
  }
  if (step === "rotate") return (keys) => rotated(keys, now);
  if (step !== "revoke") return refuse(step);
  if (name === undefined) throw new StartupError("keys_name_missing");
  return (keys) => withoutKey(keys, name, { now, isUrgent: values.now === true });
}

function refuse(argument: string): never {
  throw new StartupError("unknown_argument", { argument });
}

/** One line a key, without what signs. */
function describe(keys: readonly SigningKey[]): string {
  return keys
    .map((key) =>
      fillText(keysCopy.key, {
        status: keysCopy.statuses[key.status],
        alg: key.alg,
        name: nameOf(key),
        since: key.since.slice(0, 16).replace("T", " "),
      }),
    )
    .join("\n");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
