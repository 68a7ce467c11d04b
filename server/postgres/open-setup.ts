import postgres, { type Sql } from "postgres";

/** Opens one connection for work on a database as a whole, which may take any time; `application` is its name there. */
export function openSetup(adminUrl: string, application: string): Sql {
  return postgres(adminUrl, {
    max: 1,
    max_lifetime: 0,
    onnotice: () => undefined,
    connect_timeout: 10,
    connection: { application_name: application, statement_timeout: 0 },
  });
}

/** Such a connection for the length of some work. Work that fails or is broken off waits for nothing any more, say the lock of somebody else. */
export async function withSetup<Result>(
  { adminUrl, application, signal }: SetupOptions,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const sql = openSetup(adminUrl, application);
  const leave = () => sql.end({ timeout: 0 });
  signal?.addEventListener("abort", leave);
  try {
    const result = await work(sql);
    await sql.end({ timeout: 5 });
    return result;
  } finally {
    signal?.removeEventListener("abort", leave);
    await leave();
  }
}

/** Where to connect, under what name, and whether the work was broken off. */
export type SetupOptions = {
  adminUrl: string;
  application: string;
  signal?: AbortSignal | undefined;
};
