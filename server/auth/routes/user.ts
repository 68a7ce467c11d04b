import { z } from "zod";
import { enqueueMail } from "../../mail/outbox.ts";
import { comesWithSecretKey } from "../admin/require-admin.ts";
import { noteKeyUse } from "../admin/trail.ts";
import { type Authenticated, requireUser } from "../authenticate.ts";
import { optionalText, readBody } from "../body.ts";
import { readEmail, readPhone } from "../contacts.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError, invalid } from "../errors.ts";
import { readChallenge } from "../flow-state.ts";
import { isShort, type JsonObject, jsonObject } from "../json.ts";
import { countAttempt, countMessage, resetAttempts } from "../limits.ts";
import { nameOf, sendEmailChange, sendPhoneCode } from "../messages.ts";
import { lacksAssurance, RECENT_SIGN_IN_MS } from "../mfa/assurance.ts";
import { consumeCode, dropTokens, LINK_MS } from "../one-time-tokens.ts";
import { organizationsOf } from "../password-words.ts";
import { checkPassword, hashPassword, requirePasswordRoom, verifyPassword } from "../passwords.ts";
import { askedTarget, redirectTarget } from "../redirects.ts";
import type { RouteGroup } from "../route-group.ts";
import { endSessions } from "../sessions.ts";
import { loadUserAnswer } from "../user-answer.ts";
import {
  findUserByEmail,
  findUserByPhone,
  lockUser,
  mergeIdentity,
  refreshProviders,
  type UserRow,
  updateUser,
} from "../users.ts";
import { checkChannel } from "./messages.ts";

/** A session that began less than this ago is proof enough of identity. */
const FRESH_MS = 600_000;

const change = z.object({
  email: optionalText,
  phone: optionalText,
  password: z.string().nullish(),
  current_password: z.string().nullish(),
  nonce: optionalText,
  data: jsonObject.nullish(),
  app_metadata: z.unknown().optional(),
  channel: optionalText,
  code_challenge: optionalText,
  code_challenge_method: optionalText,
});

type Change = z.infer<typeof change>;

/** The signed-in user: reading, changing, signing out. */
export const userRoutes: RouteGroup = (app, deps) => {
  app.get("/user", async (context) => {
    const { user } = await requireUser(context, deps);
    return context.json(await loadUserAnswer(deps.sql, user));
  });

  app.put("/user", async (context) => {
    const who = await requireUser(context, deps);
    const body = await readBody(context, change);
    const wanted = await readChange(deps, who, body);
    const request = context.req.raw;
    if (wanted.email) {
      await countAttempt(deps, { kind: "mail", request, account: who.user.id });
      await countMessage(deps, request, { kind: "email", value: wanted.email });
    }
    if (wanted.phone) {
      await countAttempt(deps, { kind: "sms", request, account: who.user.id });
      await countMessage(deps, request, { kind: "phone", value: wanted.phone });
    }
    const passwordHash = await replacePassword(deps, who, wanted, request);
    const message = {
      target: redirectTarget(deps, askedTarget(context)),
      challenge: readChallenge(body.code_challenge, body.code_challenge_method),
    };
    const answer = await deps.sql.begin(async (sql) => {
      let user = await lockUser(sql, who.user.id);
      if (user === null) throw new AuthError(403, "user_not_found", "User does not exist");
      if (passwordHash !== null) {
        if (needsNonce(deps, who, wanted)) await spendNonce(sql, deps, who, wanted.nonce);
        user = await storePassword(sql, deps, { ...who, user }, passwordHash);
      }
      if (wanted.data) {
        const data = mergeMetadata(user.raw_user_meta_data ?? {}, wanted.data);
        user = await updateUser(sql, user.id, { raw_user_meta_data: data }, deps.now());
      }
      if (wanted.email) {
        const isTaken = (await findUserByEmail(sql, wanted.email)) !== null;
        user = await sendEmailChange(sql, deps, user, {
          ...message,
          newEmail: wanted.email,
          isTaken,
        });
      }
      if (wanted.phone) {
        const isTaken = (await findUserByPhone(sql, wanted.phone)) !== null;
        user = await sendPhoneCode(sql, deps, user, {
          phone: wanted.phone,
          isChange: true,
          isTaken,
        });
      }
      return loadUserAnswer(sql, user);
    });
    return context.json(answer);
  });

  app.post("/logout", async (context) => {
    const scope = z
      .enum(["global", "local", "others"])
      .safeParse(context.req.query("scope") || "global");
    if (!scope.success) throw invalid("Unsupported logout scope");
    const who = await requireUser(context, deps);
    const { user, session } = who;
    const isAdmin = comesWithSecretKey(context, deps);
    if (scope.data !== "local" && !isAdmin && (await lacksAssurance(deps.sql, who))) {
      // Client libraries take 401 and 403 for « signed out »: this must be heard.
      throw new AuthError(422, "insufficient_aal", "AAL2 required to end other sessions");
    }
    await deps.sql.begin(async (sql) => {
      await endSessions(sql, { id: session.id, userId: user.id }, scope.data);
      if (isAdmin) await noteKeyUse(sql, "account.signed_out", user.id, scope.data);
    });
    return context.body(null, 204);
  });
};

/** Requested change; an unchanged value counts as not given. */
type Wanted = {
  email: string | null;
  phone: string | null;
  password: string | null;
  /** The password that is replaced, from a page that asks for it. */
  currentPassword: string | null;
  nonce: string;
  data: JsonObject | null;
};

async function readChange(deps: AuthDeps, who: Authenticated, body: Change): Promise<Wanted> {
  const { user } = who;
  if (body.app_metadata !== undefined) {
    throw new AuthError(403, "not_admin", "Updating app_metadata requires admin privileges");
  }
  checkChannel(body.channel);
  const email = body.email === "" ? null : readEmail(body.email);
  const phone = body.phone === "" ? null : readPhone(body.phone);
  if (phone !== null && !deps.settings.hasPhone) {
    throw new AuthError(400, "phone_provider_disabled", "Unsupported phone provider");
  }
  const password = body.password ?? null;
  if (password !== null) {
    await checkPassword(password, {
      emails: [user.email, email],
      metadata: { ...user.raw_user_meta_data, ...body.data },
      organizations: await organizationsOf(deps.sql, user.id),
    });
  }
  const wanted = {
    email: email === user.email ? null : email,
    phone: phone === user.phone ? null : phone,
    password,
    currentPassword: body.current_password || null,
    nonce: body.nonce.trim(),
    data: body.data ?? null,
  };
  if (await lacksAssurance(deps.sql, who)) {
    throw new AuthError(
      401,
      "insufficient_aal",
      "AAL2 session is required to update email or password when MFA is enabled.",
    );
  }
  if (user.is_anonymous && password !== null && wanted.email === null && wanted.phone === null) {
    throw new AuthError(
      422,
      "validation_failed",
      "Updating password of an anonymous user without an email or phone is not allowed",
    );
  }
  return wanted;
}

/** Checks whether the password may be changed and hashes the new one, outside any transaction. */
async function replacePassword(
  deps: AuthDeps,
  who: Authenticated,
  wanted: Wanted,
  request: Request,
): Promise<string | null> {
  const { password, currentPassword, nonce } = wanted;
  if (password === null) return null;
  requirePasswordRoom(deps, request);
  if (needsNonce(deps, who, wanted)) {
    if (nonce === "" && who.user.encrypted_password !== null && !isSignInOld(deps, who)) {
      throw new AuthError(
        400,
        "current_password_required",
        "Current password required when setting new password.",
      );
    }
    if (nonce === "") {
      throw new AuthError(
        400,
        "reauthentication_needed",
        "Password update requires reauthentication",
      );
    }
    await countAttempt(deps, { kind: "verify", request, account: who.user.id });
  }
  const { encrypted_password: present } = who.user;
  if (present !== null && currentPassword !== null) {
    await checkCurrentPassword(deps, who, currentPassword, request);
  }
  if (present !== null && (await verifyPassword(deps, request, password, present))) {
    throw new AuthError(
      422,
      "same_password",
      "New password should be different from the old password.",
    );
  }
  return hashPassword(deps, request, password);
}

/** Where the password that is replaced is given, it has to be the right one; guessing is counted. */
async function checkCurrentPassword(
  deps: AuthDeps,
  { user }: Authenticated,
  password: string,
  request: Request,
): Promise<void> {
  const attempt = { kind: "verify", request, account: user.id } as const;
  await countAttempt(deps, attempt);
  if (!(await verifyPassword(deps, request, password, user.encrypted_password))) {
    throw new AuthError(
      400,
      "current_password_invalid",
      "Current password required when setting new password.",
    );
  }
  await resetAttempts(deps, attempt);
}

/** Whether neither the sign-in nor the password that is replaced proves who is there, so that a code has to. */
function needsNonce(deps: AuthDeps, who: Authenticated, { currentPassword }: Wanted): boolean {
  if (isFresh(deps, who)) return false;
  if (isSignInOld(deps, who)) return true;
  return who.user.encrypted_password === null || currentPassword === null;
}

/** Time since the sign-in of this session, in milliseconds. A clock ahead may have dated it, which makes it no more recent. */
function signInAge({ now }: AuthDeps, { session }: Authenticated): number {
  return Math.abs(now().getTime() - session.created_at.getTime());
}

/** Whether the present password no longer suffices: a code of a mail has to say the same. */
function isSignInOld(deps: AuthDeps, who: Authenticated): boolean {
  return signInAge(deps, who) > RECENT_SIGN_IN_MS;
}

/**
 * Whether the sign-in of this session is proof enough that its person is there. One by the link of a forgotten password is for as
 * long as that link would have held.
 */
function isFresh(deps: AuthDeps, who: Authenticated): boolean {
  if (!deps.settings.requiresReauthentication) return true;
  const isRecovery = who.claims.amr.some(({ method }) => method === "recovery");
  return signInAge(deps, who) <= (isRecovery ? LINK_MS : FRESH_MS);
}

async function spendNonce(
  sql: Parameters<typeof consumeCode>[0],
  deps: AuthDeps,
  who: Authenticated,
  nonce: string,
): Promise<void> {
  const token = await consumeCode(sql, deps, ["reauthentication_token"], {
    relatesTo: who.user.email ?? who.user.phone ?? "",
    code: nonce,
  });
  if (token?.userId === who.user.id) return;
  throw new AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
}

/** Stores a new password: other sessions end, and links and codes sent before are void. */
async function storePassword(
  sql: Parameters<typeof consumeCode>[0],
  deps: AuthDeps,
  { user, session }: Authenticated,
  passwordHash: string,
): Promise<UserRow> {
  const now = deps.now();
  const changed = await updateUser(sql, user.id, { encrypted_password: passwordHash }, now);
  await endSessions(sql, { id: session.id, userId: user.id }, "others");
  await dropTokens(sql, user.id, ["recovery_token", "reauthentication_token"]);
  if (user.email !== null && user.email_confirmed_at !== null) {
    const data = { email: user.email, email_verified: true };
    await mergeIdentity(sql, { userId: user.id, provider: "email", data }, now);
    await refreshProviders(sql, user.id);
    await enqueueMail(sql, {
      template: "password_changed",
      to: user.email,
      data: { email: user.email, ...nameOf(user) },
    });
  }
  return changed;
}

/** Facts that only the service states; a person's own word about them is passed over. */
const OUR_FACTS = new Set(["sub", "email", "phone", "email_verified", "phone_verified"]);

/** Adds what was given; null takes a field away. */
function mergeMetadata(present: JsonObject, given: JsonObject): JsonObject {
  const merged = { ...present };
  for (const [name, value] of Object.entries(given)) {
    if (OUR_FACTS.has(name)) continue;
    if (value === null) delete merged[name];
    else merged[name] = value;
  }
  if (!isShort(merged)) throw invalid("Request body is not valid: data");
  return merged;
}
