import { randomUUID } from "node:crypto";
import { fromBufferPromise } from "yauzl";
import { LOGO_BUCKET } from "#domain/schemas/brand.ts";
import { UPLOAD_BUCKET } from "#domain/schemas/brand-settings.ts";
import type { RunningServer } from "../../server/server.ts";
import { readPictureHeader } from "../../supabase/functions/_shared/images/picture-header.ts";
import { photograph, png } from "../../tests/harness/pictures.ts";
import type { Gateway } from "./gateway.ts";

/** Files that functions of a project make: a logo of a picture, a report of a month, a copy of everything. */

type Project = {
  gateway: Gateway;
  /** Address of the functions. */
  functionsUrl: string;
  /** Header of the demo shop's signed-in owner. */
  authorization: string;
};

/** Has the project's functions make their files, and throws where one is not what our own server makes. */
export async function tryFiles(server: RunningServer, project: Project): Promise<void> {
  const [shop] = await server.adminSql<{ id: string }[]>`
    select c.org_id as id from public.campaigns c where c.slug = ${server.demo?.slug ?? ""}`;
  const orgId = shop?.id ?? "";
  for (const picture of [png(600, 200), await photograph(400, 200, "note")]) {
    await makeLogo(server, project, orgId, picture);
  }
  await compareReports(server, project, orgId);
  await compareCopies(server, project, orgId);
}

async function post(address: string, authorization: string, body: object): Promise<Buffer> {
  const response = await fetch(address, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${bytes}`);
  return bytes;
}

/** Uploads a picture as the back-office does, and has it made a logo: two files, of which the pages show one. */
async function makeLogo(
  { adminSql }: RunningServer,
  { gateway, functionsUrl, authorization }: Project,
  orgId: string,
  picture: Uint8Array,
): Promise<void> {
  const upload = randomUUID();
  await gateway.store(UPLOAD_BUCKET, `${orgId}/${upload}`, Buffer.from(picture));
  await post(`${functionsUrl}/brand_logo`, authorization, { org_id: orgId, upload });
  const [row] = await adminSql<{ path: string; print_path: string }[]>`
    select l.path, l.print_path from jsonb_to_record(private.brand(${orgId}) -> 'logo') as l(path text, print_path text)`;
  const kept = [row?.path, row?.print_path].map((path) => `${LOGO_BUCKET}/${path}`);
  for (const name of kept) {
    const bytes = gateway.files.get(name);
    const type = bytes && readPictureHeader(new Uint8Array(bytes))?.type;
    if (type !== "image/webp") throw new Error(`${name} is ${type ?? "missing"}.`);
  }
  const left = [...gateway.files.keys()].filter((name) => !kept.includes(name));
  if (left.length > 0) throw new Error(`Files are left: ${left.join()}.`);
}

/** The month before this one, by its first day. */
function lastMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
    .toISOString()
    .slice(0, 10);
}

/** Two reports are alike where their pages weigh the same: what else they hold is the instant at which they were made. */
async function compareReports(
  server: RunningServer,
  { functionsUrl, authorization }: Project,
  orgId: string,
): Promise<void> {
  const asked = { org_id: orgId, month: lastMonth() };
  const theirs = await post(`${functionsUrl}/monthly-report`, authorization, asked);
  const ours = await post(`${server.url}/functions/v1/monthly-report`, authorization, asked);
  const isReport = theirs.subarray(0, 5).toString() === "%PDF-";
  if (!isReport || Math.abs(theirs.length - ours.length) > 32) {
    throw new Error(`The report has ${theirs.length} bytes instead of ${ours.length}.`);
  }
}

/** Names of the files in a copy of everything. */
async function namesIn(bytes: Buffer): Promise<string> {
  const zip = await fromBufferPromise(bytes);
  const names: string[] = [];
  for await (const entry of zip.eachEntry()) names.push(entry.fileName);
  return names.join();
}

async function compareCopies(
  server: RunningServer,
  { functionsUrl, authorization }: Project,
  orgId: string,
): Promise<void> {
  const asked = { org_id: orgId };
  const theirs = await post(`${functionsUrl}/export-organization`, authorization, asked);
  const ours = await post(`${server.url}/functions/v1/export-organization`, authorization, asked);
  const [there, here] = [await namesIn(theirs), await namesIn(ours)];
  if (there !== here || !there) throw new Error(`The copy has ${there} instead of ${here}.`);
}
