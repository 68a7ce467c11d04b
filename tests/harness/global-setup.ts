import { randomBytes } from "node:crypto";
import postgres from "postgres";
import type { ProvidedContext } from "vitest";
import type { TestProject } from "vitest/node";
import { prepareDatabase } from "../../server/postgres/prepare-database.ts";
import { startTestCluster, temporaryFolder } from "./cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    database: {
      /** Administrator's address of the server's database `postgres`. */
      adminUrl: string;
      /** Migrated database that every test database is a copy of; its name starts theirs. */
      template: string;
      /** Data folder that all servers of the run share, so that their secrets agree. */
      dataFolder: string;
    };
  }
}

type DatabaseServer = {
  provided: ProvidedContext["database"];
  stop: () => Promise<void>;
};

declare global {
  /** The run's one database server, whichever projects use it. */
  var testDatabaseServer: { users: number; server: Promise<DatabaseServer> } | undefined;
}

async function startServer(): Promise<DatabaseServer> {
  const given = process.env.DATABASE_URL;
  const cluster = given ? undefined : await startTestCluster();
  const adminUrl = given ?? cluster?.adminUrl ?? "";
  const data = await temporaryFolder("tournavis-test-data-");
  const template = `tournavis_test_${randomBytes(4).toString("hex")}`;
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const stop = async () => {
    // A server that was given is left as it was found.
    const databases = await admin<{ name: string }[]>`
      select datname as name from pg_database where datname ^@ ${template}`;
    for (const { name } of databases) await admin`drop database ${admin(name)} with (force)`;
    const logins = await admin<{ name: string }[]>`
      select rolname as name from pg_roles where rolname ^@ ${`authenticator_${template}`}`;
    for (const { name } of logins) await admin`drop role ${admin(name)}`;
    await admin.end();
    await cluster?.stop();
    await data.remove();
  };
  try {
    await admin`create database ${admin(template)} template template0`;
    const url = new URL(adminUrl);
    url.pathname = `/${template}`;
    await prepareDatabase(url.href);
    return { provided: { adminUrl, template, dataFolder: data.folder }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the run's database server with the first project that needs one. */
export async function setup(project: TestProject): Promise<void> {
  globalThis.testDatabaseServer ??= { users: 0, server: startServer() };
  globalThis.testDatabaseServer.users += 1;
  const { provided } = await globalThis.testDatabaseServer.server;
  project.provide("database", provided);
}

/** Stops it with the last one. */
export async function teardown(): Promise<void> {
  const shared = globalThis.testDatabaseServer;
  if (shared === undefined) return;
  shared.users -= 1;
  if (shared.users > 0) return;
  globalThis.testDatabaseServer = undefined;
  const { stop } = await shared.server;
  await stop();
}
