import { BlockList, isIP } from "node:net";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import {
  type Operator,
  operator,
  type ShownClaims,
  shownClaims,
} from "#domain/schemas/operator.ts";
import { isLocalHost } from "../network/local-host.ts";
import { readAddress } from "../postgres/address.ts";
import { StartupError, type StartupErrorCode } from "../start/startup-error.ts";
import { parseSigningKeys, type SigningKey } from "../tokens/signing-keys.ts";
import { type BackupConfig, readBackup } from "./backup.ts";
import { readOperator } from "./operator.ts";
import { type PaymentsConfig, readPayments } from "./payments.ts";
import { type Read, readServices, type ServicesConfig } from "./services.ts";

/** Proxies whose `X-Forwarded-For` is trusted: none, the last n, or known ones. */
export type TrustProxy =
  | { kind: "none" }
  | { kind: "hops"; count: number }
  | { kind: "networks"; list: BlockList };

/** Where an installation's data are, and how they are backed up. */
export type DataConfig = {
  dataFolder: string;
  /** An external PostgreSQL in place of the embedded one, or several of which one is the primary. */
  databaseUrl: string | null;
  backup: BackupConfig;
};

/** Everything that can be set from outside, checked. */
export type Config = DataConfig & {
  /** A PgBouncer in front of that PostgreSQL, for what takes short transactions. */
  poolUrl: string | null;
  /** 0 takes a free one. */
  port: number;
  host: string;
  /** Origin under which people reach us, without a final slash; null when not configured. */
  publicUrl: string | null;
  /** A real service: `PUBLIC_URL` is an address of the internet. */
  isProduction: boolean;
  trustProxy: TrustProxy;
  demoPassword: string | null;
  /** Whether a new database gets the demo shop. */
  wantsDemo: boolean;
  /** Whether phones on the local network can reach the server. */
  lan: boolean;
  /** Operator of the service, as its legal pages name it. */
  operator: Operator;
  /** Claims of the landing page about the service. */
  claims: ShownClaims;
  /** Lets a monitoring system on another machine read `/metrics`. */
  metricsToken: string | null;
  /** Keys that sign access tokens, where the environment gives them. */
  signingKeys: readonly SigningKey[] | null;
  /** Payment provider, or the sandbox in its place. */
  payments: PaymentsConfig;
} & ServicesConfig;

const LOOPBACK = "127.0.0.1";
const EVERYWHERE = "0.0.0.0";

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535);

const host = z
  .string()
  .refine((value) => isIP(value) > 0 || /^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/.test(value));

const publicUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .transform((text) => new URL(text))
  .refine((url) => url.pathname === "/" && url.search === "" && url.hash === "")
  .refine((url) => url.username === "" && url.password === "")
  .transform((url) => url.origin);

const databaseUrl = z.string().refine((text) => readAddress(text) !== null);

/** Without an account: the server makes those that log in there. */
const poolUrl = z.string().refine((text) => {
  const address = readAddress(text);
  return address?.hosts.length === 1 && new URL(address.at(address.hosts[0])).username === "";
});

const trustProxy = z.string().transform((text, context): TrustProxy => {
  if (/^\d{1,2}$/.test(text)) {
    return text === "0" ? { kind: "none" } : { kind: "hops", count: Number(text) };
  }
  const list = new BlockList();
  for (const entry of text.split(",")) {
    if (!addNetwork(list, entry.trim())) {
      context.addIssue({ code: "custom", message: entry });
      return z.NEVER;
    }
  }
  return { kind: "networks", list };
});

const signingKeys = z.string().transform((text, context): readonly SigningKey[] => {
  const keys = parseSigningKeys(text);
  if (keys) return keys;
  context.addIssue({ code: "custom", message: "signing keys" });
  return z.NEVER;
});

/** Surroundings that a command reads: environment, arguments, working directory, and whether it was broken off. */
export type CommandOptions = {
  env: NodeJS.ProcessEnv;
  argv: readonly string[];
  cwd: string;
  signal?: AbortSignal;
};

/** Result of the arguments: the help that a person asked for by `--help`, or a configuration. */
export type Command = { kind: "help" } | { kind: "run"; config: Config };

/** Reads flags and environment; refuses what it does not know or cannot use. */
export function readCommand(options: CommandOptions): Command {
  const flags = readFlags(options.argv);
  if (flags.help) return { kind: "help" };
  return { kind: "run", config: readConfig(options) };
}

/** The configuration that flags and environment ask for. */
export function readConfig({ env, argv, cwd }: CommandOptions): Config {
  const flags = readFlags(argv);
  const read = readerOf(env);
  const url = read("PUBLIC_URL", publicUrl, "invalid_public_url");
  const operatorPath = env.OPERATOR_FILE?.trim();
  const said = readOperator(operatorPath ? resolve(cwd, operatorPath) : null);
  const isProduction = url !== null && !isLocalHost(new URL(url).hostname);
  return {
    port: read("PORT", port, "invalid_port") ?? 3000,
    host: read("HOST", host, "invalid_host") ?? (flags.lan ? EVERYWHERE : LOOPBACK),
    publicUrl: url,
    isProduction,
    ...readDataConfig({ env, cwd }),
    poolUrl: readPool(read),
    trustProxy: read("TRUST_PROXY", trustProxy, "invalid_trust_proxy") ?? { kind: "none" },
    demoPassword: read("DEMO_PASSWORD", z.string().min(8), "invalid_demo_password"),
    wantsDemo: !flags["no-demo"],
    lan: flags.lan,
    operator: operator.parse(said),
    claims: shownClaims(said, !isProduction),
    metricsToken: read("METRICS_TOKEN", z.string().min(16), "invalid_metrics_token"),
    signingKeys: readSigningKeys(env),
    ...readServices(read, isProduction),
    payments: readPayments(read, isProduction),
  };
}

/** Reads the configuration that backup and restore need; the rest of the environment is ignored. */
export function readDataConfig({ env, cwd }: { env: NodeJS.ProcessEnv; cwd: string }): DataConfig {
  const read = readerOf(env);
  return {
    dataFolder: resolve(cwd, env.TOURNAVIS_DATA?.trim() || join(cwd, "data")),
    databaseUrl: read("DATABASE_URL", databaseUrl, "invalid_database_url"),
    backup: readBackup(read, { env, cwd }),
  };
}

/** The keys that the environment gives; null where those of the folder count. */
export function readSigningKeys(env: NodeJS.ProcessEnv): readonly SigningKey[] | null {
  return readerOf(env)("SIGNING_KEYS", signingKeys, "invalid_signing_keys");
}

function readPool(read: Read): string | null {
  const url = read("DATABASE_POOL_URL", poolUrl, "invalid_pool_url");
  const isAlone = read("DATABASE_URL", databaseUrl, "invalid_database_url") === null;
  if (url !== null && isAlone) throw new StartupError("pool_without_database");
  return url;
}

function readerOf(env: NodeJS.ProcessEnv): Read {
  return <Output>(name: string, schema: z.ZodType<Output, string>, code: StartupErrorCode) => {
    // An empty variable is how many tools write « not set ».
    const value = env[name]?.trim();
    if (!value) return null;
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw new StartupError(code, { name, value });
    return parsed.data;
  };
}

function readFlags(argv: readonly string[]) {
  const { values, tokens } = parseArgs({
    args: [...argv],
    options: {
      lan: { type: "boolean", default: false },
      "no-demo": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    const isKnown =
      token.kind === "option" &&
      ["lan", "no-demo", "help"].includes(token.name) &&
      token.value === undefined;
    if (!isKnown) {
      const argument = token.kind === "option" ? token.rawName : argv[token.index];
      throw new StartupError("unknown_argument", { argument: argument ?? "--" });
    }
  }
  return {
    lan: values.lan === true,
    "no-demo": values["no-demo"] === true,
    help: values.help === true,
  };
}

function addNetwork(list: BlockList, entry: string): boolean {
  const [address = "", prefix, ...rest] = entry.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  const family = version === 6 ? "ipv6" : "ipv4";
  if (prefix === undefined) {
    list.addAddress(address, family);
    return true;
  }
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (version === 6 ? 128 : 32)) return false;
  list.addSubnet(address, Number(prefix), family);
  return true;
}
