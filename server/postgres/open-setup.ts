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
