import type { Context } from "hono";
import type { ISql } from "postgres";
import { z } from "zod";
import { type Authenticated, requireUser } from "../authenticate.ts";
import { optionalText, readBody } from "../body.ts";
import { readPhone } from "../contacts.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError, invalid } from "../errors.ts";
import { seal } from "../seal.ts";
import { type FactorRow, lockUser } from "../users.ts";
import { requireRecentProof } from "./assurance.ts";
import { insertFactor, listLivingFactors, newFactorId } from "./factors.ts";
import { newTotp } from "./totp.ts";

const MAX_FACTORS = 10;

const enrolment = z.object({
  friendly_name: optionalText,
  factor_type: optionalText,
  issuer: optionalText,
  phone: optionalText,
});
type Enrolment = z.infer<typeof enrolment>;

/** `POST /factors`: begins a second factor, which counts from its first code on. */
export async function enrolFactor(context: Context, deps: AuthDeps): Promise<Response> {
  const who = await requireUser(context, deps);
  const asked = await readBody(context, enrolment);
  const answer = await deps.sql.begin(async (sql) => {
    // One after the other, so that no user gets more factors than allowed.
    await lockUser(sql, who.user.id);
    switch (asked.factor_type) {
      case "totp":
        return enrolTotp(sql, deps, who, asked);
      case "phone":
        return enrolPhone(sql, deps, who, asked);
      case "webauthn":
        return enrolDevice(sql, deps, who, asked);
      default:
        throw invalid("factor_type needs to be totp, phone, or webauthn");
    }
  });
  return context.json(answer);
}

async function enrolTotp(sql: ISql, deps: AuthDeps, who: Authenticated, asked: Enrolment) {
  const now = deps.now();
  const { user } = who;
  checkEnrolment(await listLivingFactors(sql, user.id, now), who, asked.friendly_name, now);
  const issuer = asked.issuer || new URL(deps.settings.siteUrl).host;
  const totp = newTotp(issuer, user.email || user.phone || user.id);
  const id = newFactorId();
  const secret = seal(deps, id, totp.secret);
  const friendlyName = asked.friendly_name;
  await insertFactor(sql, { id, userId: user.id, friendlyName, type: "totp", secret }, now);
  const { qr_code, uri } = totp;
  const shown = { qr_code, secret: totp.secret, uri };
  return { id, type: "totp", friendly_name: friendlyName, totp: shown };
}

async function enrolPhone(sql: ISql, deps: AuthDeps, who: Authenticated, asked: Enrolment) {
  if (!deps.settings.hasPhone) {
    throw new AuthError(422, "mfa_phone_enroll_not_enabled", "MFA enroll is disabled for Phone");
  }
  if (asked.phone === "") throw invalid("Phone number required to enroll Phone factor");
  const now = deps.now();
  const phone = readPhone(asked.phone);
  const { user } = who;
  const factors = await listLivingFactors(sql, user.id, now);
  const same = factors.find((factor) => factor.phone === phone);
  if (same?.status === "verified") {
    throw new AuthError(
      422,
      "mfa_verified_factor_exists",
      "A verified phone factor already exists, unenroll the existing factor to continue",
    );
  }
  const others = factors.filter((factor) => factor !== same);
  checkEnrolment(others, who, asked.friendly_name, now);
  if (same) await sql`delete from auth.mfa_factors where id = ${same.id}`;
  const id = newFactorId();
  const friendlyName = asked.friendly_name;
  await insertFactor(sql, { id, userId: user.id, friendlyName, type: "phone", phone }, now);
  return { id, type: "phone", friendly_name: friendlyName, phone: asked.phone };
}

/** Begins the key of a device, which makes it at the first challenge. */
async function enrolDevice(sql: ISql, deps: AuthDeps, who: Authenticated, asked: Enrolment) {
  const now = deps.now();
  const { user } = who;
  const friendlyName = asked.friendly_name;
  checkEnrolment(await listLivingFactors(sql, user.id, now), who, friendlyName, now);
  const id = newFactorId();
  await insertFactor(sql, { id, userId: user.id, friendlyName, type: "webauthn" }, now);
  return { id, type: "webauthn", friendly_name: friendlyName };
}

/** Refuses a factor too many, one whose name is taken, and a session that may add none. */
function checkEnrolment(
  factors: readonly FactorRow[],
  who: Authenticated,
  friendlyName: string,
  now: Date,
): void {
  if (factors.some((factor) => (factor.friendly_name ?? "") === friendlyName)) {
    throw new AuthError(
      422,
      "mfa_factor_name_conflict",
      `A factor with the friendly name "${friendlyName}" for this user already exists`,
    );
  }
  if (factors.length >= MAX_FACTORS) {
    throw new AuthError(
      422,
      "too_many_enrolled_mfa_factors",
      "Maximum number of verified factors reached, unenroll to continue",
    );
  }
  requireRecentProof(who, factors, now, "enroll a new factor");
}
