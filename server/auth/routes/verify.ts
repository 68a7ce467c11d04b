import type { Context } from "hono";
import type { TransactionSql } from "postgres";
import { z } from "zod";
import { optionalText, readBody } from "../body.ts";
import { readEmail, readPhone } from "../contacts.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError, invalid } from "../errors.ts";
import { issueAuthCode } from "../flow-state.ts";
import { countAttempt, requireAttempt } from "../limits.ts";
import {
  type ConsumedToken,
  consumeCode,
  consumeLink,
  findLinkToken,
  PKCE_PREFIX,
  SMS_CODE_MS,
  type TokenType,
} from "../one-time-tokens.ts";
import { countSignUps } from "../proof.ts";
import {
  askedTarget,
  isResetPage,
  redirectTarget,
  signInPage,
  withCode,
  withError,
  withMessage,
  withSession,
  withToken,
} from "../redirects.ts";
import type { RouteGroup } from "../route-group.ts";
import { type SessionAnswer, startSession } from "../sessions.ts";
import { logged, logSignIn, signInCode } from "../sign-in-log.ts";
import type { AmrMethod } from "../tokens.ts";
import { findUserById, isBanned, lockUser, type UserRow } from "../users.ts";
import { type Applied, applyToken, type SignUpPassword } from "../verification.ts";

/** Kinds of verification, and the tokens that prove each. */
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

/** How the client that began a flow named it; of a sign-up, also who had its mail sent again. */
const METHODS: Readonly<Partial<Record<VerificationType, readonly AmrMethod[]>>> = {
  signup: ["email/signup", "magiclink"],
  invite: ["invite"],
  recovery: ["recovery"],
  email_change: ["email_change"],
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
    const request = context.req.raw;
    try {
      await countAttempt(deps, { kind: "verify", request });
      const link = { type, token, target, isPkce, request };
      const { address, outcome } = await deps.sql.begin(async (sql) => {
        const asking = (await askForProof(sql, deps, link)) ?? (await askForPress(sql, deps, link));
        if (asking !== null) return { address: asking, outcome: "proof_asked" };
        return { address: await followLink(sql, deps, link), outcome: "ok" };
      });
      logSignIn(context, deps, "link", outcome);
      return context.redirect(address, 303);
    } catch (error) {
      logSignIn(context, deps, "link", signInCode(error));
      if (!(error instanceof AuthError)) throw error;
      return context.redirect(withError(target, error, isPkce), 303);
    }
  });

  app.post("/verify", async (context) => {
    requireAttempt(deps, "verify", context.req.raw);
    const body = await readBody(context, verification);
    const way = body.token === "" ? "link" : "code";
    const answer = await logged(context, deps, way, () => verify(context, deps, body));
    return context.json<SessionAnswer | { msg: string; code: string }>(answer);
  });
};

/** Spends a token that was typed, or that a page shows; answers the session, or that half of a change is done. */
async function verify(
  context: Context,
  deps: AuthDeps,
  body: z.infer<typeof verification>,
): Promise<SessionAnswer | { msg: string; code: string }> {
  const type = readType(body.type);
  const find = await prepare(context, deps, type, body);
  const isTyped = body.token !== "";
  return deps.sql.begin(async (sql) => {
    // The code of the only sign-up is typed where that sign-up asks for it.
    const password = isTyped ? "proven" : "dropped";
    const token = await find(sql);
    const { user, applied } = await spendToken(sql, deps, token, password);
    if (applied === "half") return { msg: HALF_DONE, code: "200" };
    const method = methodOf(type, token, user);
    return startSession(sql, deps, { user, method, request: context.req.raw });
  });
}

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

type Link = {
  type: VerificationType;
  token: string;
  target: string;
  isPkce: boolean;
  request: Request;
};

/**
 * Where the link of a sign-up leads while it is unknown whether the person who follows it has signed up: to a page that
 * shows the verifier of the client that did, or has a name and a password given with the link's token. Nothing is confirmed
 * before. Null where nothing is to be asked: a program that follows the link of the only sign-up, as on the hosted platform.
 */
async function askForProof(
  sql: TransactionSql,
  deps: AuthDeps,
  { type, token, target, isPkce, request }: Link,
): Promise<string | null> {
  const found = await findLinkToken(sql, deps, TOKEN_TYPES[type], token);
  if (found?.type !== "confirmation_token") return null;
  const user = await lockUser(sql, found.userId);
  if (user === null || user.email_confirmed_at !== null) return null;
  if (!isOfPerson(request) && (await countSignUps(sql, user.id)) <= 1) return null;
  const page = isPkce ? withCode(target, await codeFor(sql, deps, type, user)) : signInPage(target);
  return withToken(page, "confirm", token);
}

/**
 * Where the link for a new password leads a person: to our page, which uses the token up at the press of a button, in any
 * browser. A mail's scanner, which reads what links lead to, leaves it as it is. Null for programs, other links and other pages.
 */
async function askForPress(
  sql: TransactionSql,
  deps: AuthDeps,
  { type, token, target, request }: Link,
): Promise<string | null> {
  if (type !== "recovery" || !isOfPerson(request) || !isResetPage(target)) return null;
  const found = await findLinkToken(sql, deps, TOKEN_TYPES[type], token);
  return found && withToken(target, "recovery", token);
}

/** Whether a browser opens this address as a page. */
function isOfPerson({ headers }: Request): boolean {
  const wanted = headers.get("accept") ?? "";
  return wanted.includes("text/html") || headers.get("sec-fetch-mode") === "navigate";
}

async function followLink(sql: TransactionSql, deps: AuthDeps, link: Link): Promise<string> {
  const { type, target, isPkce } = link;
  const token = await findLink(sql, deps, type, link.token);
  const { user, applied } = await spendToken(sql, deps, token, "kept");
  if (applied === "half") return withMessage(target, HALF_DONE, isPkce);
  if (isPkce) return withCode(target, await codeFor(sql, deps, type, user));
  const method = methodOf(type, token, user);
  const session = await startSession(sql, deps, { user, method, request: link.request });
  return withSession(target, session, type);
}

function codeFor(
  sql: TransactionSql,
  deps: AuthDeps,
  type: VerificationType,
  { id }: UserRow,
): Promise<string> {
  return issueAuthCode(sql, { userId: id, methods: METHODS[type] ?? ["magiclink"] }, deps.now());
}

/** Uses a token up; of several sign-ups it is unknown whose password was stored, so it is dropped. */
async function spendToken(
  sql: TransactionSql,
  deps: AuthDeps,
  token: ConsumedToken,
  password: SignUpPassword,
): Promise<{ user: UserRow; applied: Applied }> {
  const before = await lockUser(sql, token.userId);
  if (before === null) throw expired("Token has expired or is invalid");
  if (isBanned(before, deps.now())) throw new AuthError(403, "user_banned", "User is banned");
  const isOfSeveral = (await countSignUps(sql, before.id)) > 1;
  const applied = await applyToken(sql, deps, before, {
    token,
    password: isOfSeveral ? "dropped" : password,
  });
  const user = await findUserById(sql, token.userId);
  if (applied === null || user === null) throw expired("Token has expired or is invalid");
  return { user, applied };
}

/** The proof that a token is, for its session: whether it came by mail or by text message. */
function methodOf(type: VerificationType, token: ConsumedToken, user: UserRow): AmrMethod {
  if (type === "recovery") return "recovery";
  const isSignUp = token.type === "confirmation_token" && token.relatesTo === user.email;
  return isSignUp ? "email/signup" : "otp";
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
