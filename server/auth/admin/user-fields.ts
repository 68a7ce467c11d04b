import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/text/durations.ts";
import { optionalText } from "../body.ts";
import { readEmail, readPhone } from "../contacts.ts";
import { invalid } from "../errors.ts";
import { isShort, type JsonObject, jsonObject } from "../json.ts";
import { checkPassword } from "../passwords.ts";
import type { UserRow } from "../users.ts";

const flag = z
  .boolean()
  .nullish()
  .transform((given) => given ?? false);

/** Fields of an account that an operator may set. */
export const adminUser = z.object({
  id: optionalText,
  aud: optionalText,
  role: optionalText,
  email: optionalText,
  phone: optionalText,
  password: z.string().nullish(),
  password_hash: optionalText,
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: jsonObject.nullish(),
  app_metadata: jsonObject.nullish(),
  ban_duration: optionalText,
});

/** The same, checked; null is what stays as it is. */
export type WantedUser = {
  id: string | null;
  email: string | null;
  phone: string | null;
  /** Empty takes the password away. */
  password: string | null;
  passwordHash: string | null;
  confirmsEmail: boolean;
  confirmsPhone: boolean;
  userMetadata: JsonObject | null;
  appMetadata: JsonObject | null;
  /** Milliseconds from now; 0 lifts a ban. */
  banMs: number | null;
};

/** Hashes that our own check reads: bcrypt, as a hosted project makes them. */
const BCRYPT = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** Checks what was given. */
export async function readUser(body: z.infer<typeof adminUser>): Promise<WantedUser> {
  // Tokens and policies know one kind of user: another role would open nothing, or everything.
  if (!["", "authenticated"].includes(body.role)) throw invalid("Unsupported role");
  if (!["", "authenticated"].includes(body.aud)) throw invalid("Unsupported audience");
  const email = body.email === "" ? null : readEmail(body.email);
  const phone = body.phone === "" ? null : readPhone(body.phone);
  const password = body.password ?? null;
  if (password !== null && body.password_hash !== "") {
    throw invalid("Only a password or a password hash should be provided");
  }
  if (password) {
    await checkPassword(password, { emails: [email], metadata: body.user_metadata ?? null });
  }
  if (body.password_hash !== "" && !BCRYPT.test(body.password_hash)) {
    throw invalid("Unsupported password hash");
  }
  return {
    id: readId(body.id),
    email,
    phone,
    password,
    passwordHash: body.password_hash || null,
    confirmsEmail: body.email_confirm,
    confirmsPhone: body.phone_confirm,
    userMetadata: body.user_metadata ?? null,
    appMetadata: body.app_metadata ?? null,
    banMs: body.ban_duration === "" ? null : readDuration(body.ban_duration),
  };
}

/** Present metadata with what was given; null takes a field away. All of it travels in every token. */
export function mergedMetadata(present: JsonObject | null, given: JsonObject | null): JsonObject {
  const merged = Object.fromEntries(
    Object.entries({ ...present, ...given }).filter(([, value]) => value !== null),
  );
  if (!isShort(merged)) throw invalid("Request body is not valid: metadata");
  return merged;
}

/** End of a ban that starts now. */
export function bannedUntil(banMs: number, now: Date): UserRow["banned_until"] {
  return banMs === 0 ? null : new Date(now.getTime() + banMs);
}

function readId(id: string): string | null {
  if (id === "") return null;
  if (!z.uuid().safeParse(id).success) throw invalid("ID must conform to the uuid v4 format");
  return id.toLowerCase();
}

const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, m: MINUTE_MS, s: 1_000, ms: 1 };

const MAX_BAN_MS = 100 * 366 * DAY_MS;

/** A duration as Go writes it (« 1h30m », « 300ms »), or « none ». */
function readDuration(text: string): number {
  if (text === "none") return 0;
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/.test(text)) {
    throw invalid(`invalid format for ban duration: ${JSON.stringify(text.slice(0, 30))}`);
  }
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g);
  const total = [...parts].reduce(
    (sum, [, amount, unit = ""]) => sum + Number(amount) * (UNITS[unit] ?? 0),
    0,
  );
  return Math.min(total, MAX_BAN_MS);
}
