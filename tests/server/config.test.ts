import { describe, expect, it } from "vitest";
import { readCommand, readConfig } from "../../server/config.ts";

const read = (env: NodeJS.ProcessEnv = {}, argv: string[] = []) =>
  readConfig({ env, argv, cwd: "/srv/tournavis" });

/** Code of the refusal that a configuration meets, or null. */
function refusal(env: NodeJS.ProcessEnv, argv: string[] = []): string | null {
  try {
    read(env, argv);
    return null;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

describe("readConfig", () => {
  it("needs nothing", () => {
    expect(read()).toEqual({
      port: 3000,
      host: "127.0.0.1",
      publicUrl: null,
      isProduction: false,
      dataFolder: "/srv/tournavis/data",
      databaseUrl: null,
      trustProxy: { kind: "none" },
      demoPassword: null,
      wantsDemo: true,
      lan: false,
      metricsToken: null,
    });
  });

  it("takes an empty variable for one that is not set", () => {
    const empty = { PORT: "", HOST: " ", PUBLIC_URL: "", TOURNAVIS_DATA: "", DATABASE_URL: "" };
    expect(read(empty)).toEqual(read());
  });

  it("takes a data folder from where it was started", () => {
    expect(read({ TOURNAVIS_DATA: "ailleurs" }).dataFolder).toBe("/srv/tournavis/ailleurs");
    expect(read({ TOURNAVIS_DATA: "/var/data" }).dataFolder).toBe("/var/data");
  });

  it("opens to the network with --lan, but not against HOST", () => {
    expect(read({}, ["--lan"])).toMatchObject({ host: "0.0.0.0", lan: true });
    expect(read({ HOST: "192.168.1.4" }, ["--lan"]).host).toBe("192.168.1.4");
  });

  it("leaves the demo out with --no-demo", () => {
    expect(read({}, ["--no-demo"]).wantsDemo).toBe(false);
  });

  it.each([
    ["https://avis.exemple.fr", true],
    ["https://avis.exemple.fr/", true],
    ["http://203.0.113.7:8080", true],
    ["http://localhost:3000", false],
    ["http://caisse.local", false],
    ["http://192.168.1.20:3000", false],
    ["http://10.1.2.3", false],
    ["http://172.16.0.1", false],
    ["http://172.32.0.1", true],
    ["http://[::1]:3000", false],
    ["http://[2001:db8::1]", true],
  ])("PUBLIC_URL %s: production %s", (url, isProduction) => {
    const config = read({ PUBLIC_URL: url });
    expect(config.isProduction).toBe(isProduction);
    expect(config.publicUrl).toBe(url.replace(/\/$/, ""));
  });

  it.each([
    [{ PORT: "0" }, null],
    [{ PORT: "65535" }, null],
    [{ PORT: "65536" }, "invalid_port"],
    [{ PORT: "-1" }, "invalid_port"],
    [{ PORT: "80a" }, "invalid_port"],
    [{ PORT: "3.5" }, "invalid_port"],
    [{ HOST: "::1" }, null],
    [{ HOST: "caisse.exemple" }, null],
    [{ HOST: "http://caisse" }, "invalid_host"],
    [{ HOST: "a b" }, "invalid_host"],
    [{ PUBLIC_URL: "avis.exemple.fr" }, "invalid_public_url"],
    [{ PUBLIC_URL: "ftp://avis.exemple.fr" }, "invalid_public_url"],
    [{ PUBLIC_URL: "https://avis.exemple.fr/app" }, "invalid_public_url"],
    [{ PUBLIC_URL: "https://avis.exemple.fr/?a=1" }, "invalid_public_url"],
    [{ PUBLIC_URL: "https://moi:secret@avis.exemple.fr" }, "invalid_public_url"],
    [{ DATABASE_URL: "postgres://a:b@base:5432/avis" }, null],
    [{ DATABASE_URL: "postgresql://a@base/avis?sslmode=require" }, null],
    [{ DATABASE_URL: "mysql://a:b@base/avis" }, "invalid_database_url"],
    [{ DATABASE_URL: "base de données" }, "invalid_database_url"],
    [{ DATABASE_URL: "postgres:///avis" }, "invalid_database_url"],
    [{ TRUST_PROXY: "0" }, null],
    [{ TRUST_PROXY: "2" }, null],
    [{ TRUST_PROXY: "10.0.0.0/8, 2001:db8::/32,192.0.2.1" }, null],
    [{ TRUST_PROXY: "yes" }, "invalid_trust_proxy"],
    [{ TRUST_PROXY: "10.0.0.0/33" }, "invalid_trust_proxy"],
    [{ TRUST_PROXY: "10.0.0.0/8/8" }, "invalid_trust_proxy"],
    [{ TRUST_PROXY: "-1" }, "invalid_trust_proxy"],
    [{ DEMO_PASSWORD: "12345678" }, null],
    [{ DEMO_PASSWORD: "1234567" }, "invalid_demo_password"],
    [{ METRICS_TOKEN: "court" }, "invalid_metrics_token"],
  ])("%o: %s", (env, code) => {
    expect(refusal(env)).toBe(code);
  });

  it.each([["--lann"], ["--lan=yes"], ["demo"], ["--port"], ["-x"], ["--"]])(
    "refuses the argument %s",
    (argument) => {
      expect(refusal({}, [argument])).toBe("unknown_argument");
    },
  );

  it("answers --help before it looks at anything else", () => {
    const command = readCommand({ env: { PORT: "x" }, argv: ["--help"], cwd: "/" });
    expect(command.kind).toBe("help");
  });
});
