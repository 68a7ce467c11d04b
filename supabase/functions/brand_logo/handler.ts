import type { Sql, TransactionSql } from "postgres";
import type { ErrorCode } from "../_shared/domain/errors/errors.ts";
import { LOGO_BUCKET } from "../_shared/domain/schemas/brand.ts";
import {
  brandLogoRequest,
  LOGO_MAX_BYTES,
  LOGO_MAX_PIXELS,
  LOGO_MAX_SIDE,
  UPLOAD_BUCKET,
} from "../_shared/domain/schemas/brand-settings.ts";
import { signedInUser } from "../_shared/http/bearer.ts";
import type { AccessClaims, Logos } from "../_shared/http/deps.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { noContent, refuse } from "../_shared/http/respond.ts";
import { type Fail, serve } from "../_shared/http/serve.ts";
import type { EncodedLogo } from "../_shared/images/encode-logo.ts";
import { readPictureHeader } from "../_shared/images/picture-header.ts";

/** Why the database refuses a change of the logo. */
const REFUSALS = {
  session_ended: "unauthenticated",
  second_factor_required: "second_factor_required",
  forbidden: "brand_forbidden",
  subscription_closed: "subscription_closed",
  organization_suspended: "organization_suspended",
  organization_ending: "organization_ending",
  not_in_plan: "brand_not_in_plan",
  busy: "too_many_attempts",
} as const satisfies Record<string, ErrorCode>;

type Refusal = keyof typeof REFUSALS;

/**
 * `POST brand_logo { org_id, upload }`: makes the picture that was uploaded to `logo-uploads` the organisation's logo;
 * `upload: null` takes the logo away. Only pixels that were read and written anew are published, under a name that
 * follows from them.
 */
export const handler = serve(
  { name: "brand_logo", method: "POST", failure: "internal_error" },
  async (request, deps, fail) => {
    const user = await signedInUser(request, deps);
    if (!user) return refuse("unauthenticated");
    const parsed = await parseBody(request, brandLogoRequest);
    if (!parsed.ok) return parsed.response;
    const { org_id: orgId, upload } = parsed.body;

    const { logos } = deps;
    if (!logos) throw new Error("There is no key of the storage.");
    const refusal = await deps.sql.begin((transaction) =>
      change(transaction, logos, user, { orgId, upload }),
    );
    if (refusal !== null) {
      const isForNow = refusal === "too_many_attempts" || refusal === "service_unavailable";
      return refuse(refusal, isForNow ? { retryAfter: 5 } : {});
    }
    await removeStale(deps.sql, logos, orgId, fail);
    return noContent();
  },
);

/** Changes the logo within one transaction, which keeps its place; answers why not. */
async function change(
  sql: TransactionSql,
  logos: Logos,
  user: AccessClaims,
  { orgId, upload }: { orgId: string; upload: string | null },
): Promise<ErrorCode | null> {
  const [begun] = await sql<{ outcome: "started" | Refusal }[]>`
    select public.begin_brand_logo(${user.userId}, ${user.sessionId}, ${user.aal}, ${orgId}) as outcome`;
  if (!begun) throw new Error("begin_brand_logo answered nothing.");
  if (begun.outcome !== "started") return REFUSALS[begun.outcome];

  const set = (name: string | null, logo: EncodedLogo | null) => sql`
    select public.set_brand_logo(${user.userId}, ${user.sessionId}, ${user.aal}, ${orgId},
      ${name}, ${logo?.width ?? null}, ${logo?.height ?? null})`;
  if (upload === null) {
    await set(null, null);
    return null;
  }
  const taken = await take(logos, `${orgId}/${upload}`);
  if (!taken.ok) return taken.refusal;
  const name = await nameOf(taken.logo);
  const { screen, print } = taken.logo;
  await logos.files.write(LOGO_BUCKET, `${orgId}/${name}.webp`, screen, "image/webp");
  await logos.files.write(LOGO_BUCKET, `${orgId}/${name}-print.webp`, print, "image/webp");
  await set(name, taken.logo);
  return null;
}

/** Takes an uploaded picture out of its bucket, whatever comes of it, and encodes it anew. */
async function take(
  { files, encode }: Logos,
  path: string,
): Promise<{ ok: true; logo: EncodedLogo } | { ok: false; refusal: ErrorCode }> {
  const bytes = await files.read(UPLOAD_BUCKET, path);
  if (bytes === null) return { ok: false, refusal: "logo_unreadable" };
  await files.remove(UPLOAD_BUCKET, [path]);
  if (bytes.length > LOGO_MAX_BYTES) return { ok: false, refusal: "logo_too_heavy" };
  const header = readPictureHeader(bytes);
  if (header === null) return { ok: false, refusal: "logo_unreadable" };
  const { type, width, height } = header;
  if (Math.max(width, height) > LOGO_MAX_SIDE || width * height > LOGO_MAX_PIXELS) {
    return { ok: false, refusal: "logo_too_large" };
  }
  const logo = await encode(bytes, type);
  // The picture has no fault of its own.
  if (logo === "busy") return { ok: false, refusal: "service_unavailable" };
  return logo ? { ok: true, logo } : { ok: false, refusal: "logo_unreadable" };
}

/** A name that follows from the contents, so that an address never shows another picture. */
async function nameOf({ screen, print }: EncodedLogo): Promise<string> {
  const both = new Uint8Array(screen.length + print.length);
  both.set(screen);
  both.set(print, screen.length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", both));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Removes the former logo's files. The change is committed already: files that cannot be removed here, a job removes later. */
async function removeStale(sql: Sql, { files }: Logos, orgId: string, fail: Fail): Promise<void> {
  try {
    await sql.begin(async (transaction) => {
      const rows = await transaction<{ name: string }[]>`
        select name from public.stale_logo_files(${orgId}) as name`;
      if (rows.length > 0) {
        await files.remove(
          LOGO_BUCKET,
          rows.map(({ name }) => name),
        );
      }
    });
  } catch (error) {
    fail("files_not_removed", error);
  }
}
