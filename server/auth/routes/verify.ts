import type { Context } from "hono";
import type { TransactionSql } from "postgres";
import { z } from "zod";
import { optionalText, readBody } from "../body.ts";
import { readEmail, readPhone } from "../contacts.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError, invalid } from "../errors.ts";
import { issueAuthCode } from "../flow-state.ts";
import { countAttempt } from "../limits.ts";
import {
  type ConsumedToken,
  consumeCode,
  consumeLink,
  PKCE_PREFIX,
  SMS_CODE_MS,
  type TokenType,
} from "../one-time-tokens.ts";
import {
  askedTarget,
  redirectTarget,
  withCode,
  withError,
  withMessage,
  withSession,
} from "../redirects.ts";
import type { RouteGroup } from "../service.ts";
import { type SessionAnswer, startSession } from "../sessions.ts";
import type { AmrMethod } from "../tokens.ts";
import { findUserById, isBanned, lockUser, type UserRow } from "../users.ts";
import { type Applied, applyToken } from "../verification.ts";

/** What can be verified, and which tokens prove it. */
const TOKEN_TYPES = {
  signup: ["confirmation_token"],
  invite: ["confirmation_token"],
  recovery: ["recovery_token"],
  magiclink: ["recovery_token"],
  email: ["confirmation_token", "recovery_token"],
  email_change: ["email_change_token_new", "email_change_token_current"],
  sms: ["confirmation_token"],
  phone_change: ["phone_change_token"],
} as const satisfies Record<string, readonly TokenType[]>;

type VerificationType = keyof typeof TOKEN_TYPES;

/** How the client that began a flow named it. */
const METHODS: Readonly<Partial<Record<VerificationType, AmrMethod>>> = {
  signup: "email/signup",
  invite: "invite",
  recovery: "recovery",
  magiclink: "magiclink",
  email_change: "email_change",
};

const HALF_DONE =
  "Confirmation link accepted. Please proceed to confirm link sent to the other email";

const verification = z.object({
  type: optionalText,
  token: optionalText,
  token_hash: optionalText,
  email: optionalText,
  phone: optionalText,
});

/** Links that were followed and codes that were typed. */
export const verifyRoutes: RouteGroup = (app, deps) => {
  app.get("/verify", async (context) => {
    // Whatever looks at a link before its person does (a mail's scanner) must not use it up.
    if (context.req.method === "HEAD") return context.body(null, 204);
    const type = readType(context.req.query("type") ?? "");
    const token = context.req.query("token") ?? context.req.query("token_hash") ?? "";
    if (token === "") throw invalid("Verify requires a token or a token hash");
    const target = redirectTarget(deps, askedTarget(context));
    const isPkce = token.startsWith(PKCE_PREFIX);
    try {
      await countAttempt(deps, { kind: "verify", request: context.req.raw });
      const address = await deps.sql.begin((sql) =>
        followLink(sql, deps, { type, token, target, isPkce, request: context.req.raw }),
      );
      return context.redirect(address, 303);
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      return context.redirect(withError(target, error, isPkce), 303);
    }
  });

  app.post("/verify", async (context) => {
    const body = await readBody(context, verification);
    const type = readType(body.type);
    const find = await prepare(context, deps, type, body);
    const answer = await deps.sql.begin(async (sql) => {
      const { user, applied } = await spendToken(sql, deps, await find(sql));
      if (applied === "half") return { msg: HALF_DONE, code: "200" };
      return startSession(sql, deps, { user, method: "otp", request: context.req.raw });
    });
    return context.json<SessionAnswer | { msg: string; code: string }>(answer);
  });
};

type Find = (sql: TransactionSql) => Promise<ConsumedToken>;

/** Checks what a call gives and counts it; answers how the token is found. */
async function prepare(
  context: Context,
  deps: AuthDeps,
  type: VerificationType,
  body: z.infer<typeof verification>,
): Promise<Find> {
  const request = context.req.raw;
  if ((body.token === "") === (body.token_hash === "")) {
    throw invalid("Verify requires either a token or a token hash");
  }
  if (body.token_hash !== "") {
    if (body.email !== "" || body.phone !== "") {
      throw invalid("Only the token_hash and type should be provided");
    }
    await countAttempt(deps, { kind: "verify", request });
    return (sql) => findLink(sql, deps, type, body.token_hash);
  }
  const isPhone = type === "sms" || type === "phone_change";
  if (isPhone ? body.phone === "" : body.email === "") {
    throw invalid("Only an email address or phone number should be provided on verify");
  }
  const relatesTo = isPhone ? readPhone(body.phone) : readEmail(body.email);
  await countAttempt(deps, { kind: "verify", request, account: relatesTo });
  return async (sql) => {
    const token = await consumeCode(sql, deps, TOKEN_TYPES[type], {
      relatesTo,
      code: body.token.trim(),
      ...(isPhone && { validMs: SMS_CODE_MS }),
    });
    if (token === null) throw expired("Token has expired or is invalid");
    return token;
  };
}

async function findLink(
  sql: TransactionSql,
  deps: AuthDeps,
  type: VerificationType,
  link: string,
): Promise<ConsumedToken> {
  const token = await consumeLink(sql, deps, TOKEN_TYPES[type], link);
  if (token === null) throw expired("Email link is invalid or has expired");
  return token;
}

async function followLink(
  sql: TransactionSql,
  deps: AuthDeps,
  link: {
    type: VerificationType;
    token: string;
    target: string;
    isPkce: boolean;
    request: Request;
  },
): Promise<string> {
  const { type, target, isPkce } = link;
  const token = await findLink(sql, deps, type, link.token);
  const { user, applied } = await spendToken(sql, deps, token);
  if (applied === "half") return withMessage(target, HALF_DONE, isPkce);
  if (isPkce) {
    const method = METHODS[type] ?? "magiclink";
    const options = { userId: user.id, authenticationMethod: method };
    return withCode(target, await issueAuthCode(sql, options, deps.now()));
  }
  const session = await startSession(sql, deps, { user, method: "otp", request: link.request });
  return withSession(target, session, type);
}

async function spendToken(
  sql: TransactionSql,
  deps: AuthDeps,
  token: ConsumedToken,
): Promise<{ user: UserRow; applied: Applied }> {
  const before = await lockUser(sql, token.userId);
  if (before === null) throw expired("Token has expired or is invalid");
  if (isBanned(before, deps.now())) throw new AuthError(403, "user_banned", "User is banned");
  const applied = await applyToken(sql, deps, before, token);
  const user = await findUserById(sql, token.userId);
  if (applied === null || user === null) throw expired("Token has expired or is invalid");
  return { user, applied };
}

function readType(type: string): VerificationType {
  if (type === "") throw invalid("Verify requires a verification type");
  if (!isVerificationType(type)) throw invalid("Unsupported verification type");
  return type;
}

function isVerificationType(type: string): type is VerificationType {
  return Object.hasOwn(TOKEN_TYPES, type);
}

function expired(message: string): AuthError {
  return new AuthError(403, "otp_expired", message);
}
