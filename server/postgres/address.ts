import { StartupError } from "../start/startup-error.ts";

/** Where a PostgreSQL listens. */
export type DatabaseHost = { host: string; port: number };

/** Several hosts of one database: a primary and its standbys. */
export type DatabaseAddress = {
  hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  /** The address with one of them alone. */
  at(host: DatabaseHost): string;
};

const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s;

const DEFAULT_PORT = "5432";

/** Other programs' way of saying that the primary is meant, which we always do. */
const WANTED_SESSIONS = ["read-write", "primary", "any"];

/**
 * Reads an address as `libpq` does, which no URL parser does where there are several hosts: `a:5432,b:5432` before the
 * database's name, or `host=a,b&port=5432` behind it. Null for what is no address of a PostgreSQL over a network.
 */
export function readAddress(text: string): DatabaseAddress | null {
  const [, scheme, authority, rest] = PARTS.exec(text) ?? [];
  if (scheme === undefined || authority === undefined || rest === undefined) return null;
  const split = authority.lastIndexOf("@") + 1;
  const account = authority.slice(0, split);
  const build = (host: string) => {
    const whole = `${scheme}${account}${host}${rest}`;
    if (!URL.canParse(whole)) return null;
    const url = new URL(whole);
    for (const name of ["host", "port", "target_session_attrs"]) url.searchParams.delete(name);
    return url;
  };
  const given = URL.canParse(`postgres://host${rest}`) ? new URL(`postgres://host${rest}`) : null;
  if (!given || !isPrimaryWanted(given)) return null;
  const named = authority.slice(split) || hostsOf(given);
  const urls = named.split(",").map((host) => (host === "" ? null : build(host)));
  const hosts = urls.map(hostOf);
  const [first, ...others] = hosts.filter((host) => host !== null);
  if (!first || others.length + 1 < hosts.length) return null;
  return {
    hosts: [first, ...others],
    at: (host) => {
      const url = urls[hosts.indexOf(host)];
      if (!url) throw new Error("a host of another address");
      return url.href;
    },
  };
}

/** The same, of an address that has to be one. */
export function addressOf(url: string): DatabaseAddress {
  const address = readAddress(url);
  if (!address) throw new StartupError("invalid_database_url", { name: "DATABASE_URL" });
  return address;
}

function isPrimaryWanted({ searchParams }: URL): boolean {
  const wanted = searchParams.get("target_session_attrs");
  return wanted === null || WANTED_SESSIONS.includes(wanted);
}

/** Hosts that parameters name, in the form of those before the database's name: one port for all, or one for each. */
function hostsOf({ searchParams }: URL): string {
  const hosts = (searchParams.get("host") ?? "").split(",");
  const ports = (searchParams.get("port") ?? DEFAULT_PORT).split(",");
  if (ports.length > 1 && ports.length !== hosts.length) return "";
  return hosts.map((host, index) => host && `${host}:${ports[index] ?? ports[0]}`).join(",");
}

function hostOf(url: URL | null): DatabaseHost | null {
  if (!url || url.hostname === "") return null;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || DEFAULT_PORT),
  };
}
