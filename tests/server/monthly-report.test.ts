import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrganization, type Organization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** The report of a month as a file: who gets it, and that it is one. */

let server: TestServer;
let ours: Organization;
let month: string;

beforeAll(async () => {
  server = await startTestServer();
  ours = await createOrganization(server.database.sql);
  const [row] = await server.database.sql<{ month: string }[]>`
    select (date_trunc('month', private.now_in('Europe/Paris')) - interval '1 month')::date::text as month`;
  month = row?.month ?? "";
});
afterAll(() => server.stop());

it("the monthly report is a PDF for members who read the figures, under the name of its month", async () => {
  const { token } = await server.signIn(ours.users.member);
  const answer = await fetch(`${server.url}/functions/v1/monthly-report`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ org_id: ours.id, month }),
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  expect(answer.headers.get("content-disposition")).toBe(
    `attachment; filename="rapport-${month.slice(0, 7)}.pdf"`,
  );
  const opened = await PDFDocument.load(await answer.arrayBuffer());
  expect(opened.getTitle()).toContain(ours.name);
});

it("the monthly report is refused without a session, permission, plan, for other organisations and other days", async () => {
  const { sql } = server.database;
  const other = await createOrganization(sql);
  const trial = await createOrganization(sql, { plan: "free_trial" });
  const asked = async (user: { email: string }, of: Organization, day = month) => {
    const { token } = await server.signIn(user);
    const { status, body } = await server.call(
      "monthly-report",
      { org_id: of.id, month: day },
      { token },
    );
    return [status, body];
  };
  expect((await server.call("monthly-report", { org_id: ours.id, month })).status).toBe(401);
  const forbidden = [403, { error: { code: "export_forbidden" } }];
  expect(await asked(ours.users.cashier, ours)).toMatchObject(forbidden);
  expect(await asked(other.users.owner, ours)).toMatchObject(forbidden);
  expect(await asked(trial.users.owner, trial)).toMatchObject(forbidden);
  for (const day of [
    "2020-01-01",
    "2999-01-01",
    "0000-01-01",
    `${month.slice(0, 7)}-02`,
    "octobre",
  ]) {
    expect(await asked(ours.users.owner, ours, day)).toMatchObject([
      400,
      { error: { code: "invalid_request" } },
    ]);
  }
});
