import type { Context } from "hono";
import { z } from "zod";
import { optionalText, readBody } from "../body.ts";
import { checkCaptcha } from "../captcha.ts";
import { readPhone } from "../contacts.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError, invalid } from "../errors.ts";
import { exchangeAuthCode, findCodeUser, sessionIdOf } from "../flow-state.ts";
import { countAttempt, requireAttempt, resetAttempts } from "../limits.ts";
import { grantIdToken } from "../oauth/id-token.ts";
import { grantWeb3 } from "../oauth/web3.ts";
import { dropTokens } from "../one-time-tokens.ts";
import { checkPassword, requirePasswordRoom, verifyPassword } from "../passwords.ts";
import type { RouteGroup } from "../route-group.ts";
import { unseal } from "../seal.ts";
import {
  endSessions,
  findSession,
  refreshSession,
  type SessionAnswer,
  startSession,
} from "../sessions.ts";
import { logged, type SignInMethod } from "../sign-in-log.ts";
import type { AmrMethod } from "../tokens.ts";
import {
  findUserByEmail,
  findUserById,
  findUserByPhone,
  isBanned,
  lockUser,
  type UserRow,
} from "../users.ts";
import { confirmEmail } from "../verification.ts";

/** A way to get a session, named by `grant_type`. */
type Grant = (context: Context, deps: AuthDeps) => Promise<SessionAnswer>;

const GRANTS = new Map<string, { method: SignInMethod; grant: Grant }>([
  ["password", { method: "password", grant: grantPassword }],
  ["refresh_token", { method: "refresh_token", grant: grantRefresh }],
  ["pkce", { method: "pkce", grant: grantCode }],
  ["id_token", { method: "id_token", grant: grantIdToken }],
  ["web3", { method: "web3", grant: grantWeb3 }],
]);

/** Sessions for proofs. */
export const tokenRoutes: RouteGroup = (app, deps) => {
  app.post("/token", async (context) => {
    const known = GRANTS.get(context.req.query("grant_type") ?? "");
    if (known === undefined) {
      throw new AuthError(400, "invalid_credentials", "unsupported_grant_type");
    }
    const { method, grant } = known;
    return context.json(await logged(context, deps, method, () => grant(context, deps)));
  });
};

const passwordGrant = z.object({
  email: optionalText,
  phone: optionalText,
  password: optionalText,
});

async function grantPassword(context: Context, deps: AuthDeps): Promise<SessionAnswer> {
  const request = context.req.raw;
  requireAttempt(deps, "sign_in", request);
  await checkCaptcha(context, deps);
  const { email, phone, password } = await readBody(context, passwordGrant);
  if (email !== "" && phone !== "") {
    throw invalid("Only an email address or phone number should be provided on login.");
  }
  if (email === "" && phone === "") throw invalid("missing email or phone");
  if (phone !== "" && !deps.settings.hasPhone) {
    throw new AuthError(422, "phone_provider_disabled", "Phone logins are disabled");
  }
  const account = email === "" ? readPhone(phone) : email.trim().toLowerCase();
  requirePasswordRoom(deps, request);
  const attempt = { kind: "sign_in", request, account } as const;
  await countAttempt(deps, attempt);
  const user =
    email === ""
      ? await findUserByPhone(deps.sql, account)
      : await findUserByEmail(deps.sql, account);
  // Without an account, or one without a password, a password is verified all the same.
  const isRight = await verifyPassword(deps, request, password, user?.encrypted_password ?? null);
  if (user === null || !isRight) {
    throw new AuthError(400, "invalid_credentials", "Invalid login credentials");
  }
  if (isBanned(user, deps.now())) throw new AuthError(400, "user_banned", "User is banned");
  if (email !== "" && user.email_confirmed_at === null) {
    throw new AuthError(400, "email_not_confirmed", "Email not confirmed");
  }
  if (phone !== "" && user.phone_confirmed_at === null) {
    throw new AuthError(400, "phone_not_confirmed", "Phone not confirmed");
  }
  await resetAttempts(deps, attempt);
  const session = await deps.sql.begin((sql) =>
    startSession(sql, deps, { user, method: "password", request }),
  );
  return { ...session, ...(await weaknessOf(user, password)) };
}

/** A password that was chosen before the rule existed signs in, with a hint. */
async function weaknessOf(
  user: UserRow,
  password: string,
): Promise<Pick<SessionAnswer, "weak_password">> {
  try {
    await checkPassword(password, { emails: [user.email], metadata: user.raw_user_meta_data });
    return {};
  } catch (error) {
    const reasons = error instanceof AuthError ? error.extra.weakPassword : undefined;
    if (!(error instanceof AuthError) || reasons === undefined) return {};
    return { weak_password: { message: error.message, reasons } };
  }
}

async function grantRefresh(context: Context, deps: AuthDeps): Promise<SessionAnswer> {
  const body = await readBody(context, z.object({ refresh_token: optionalText }));
  if (body.refresh_token === "") throw invalid("refresh_token required");
  const answer = await deps.sql.begin((sql) =>
    refreshSession(sql, deps, body.refresh_token, context.req.raw),
  );
  if (answer instanceof AuthError) throw answer;
  return answer;
}

/** Ways of a link that confirms an account, once its code is exchanged. */
const CONFIRMING: readonly AmrMethod[] = ["email/signup", "magiclink"];

const codeGrant = z.object({ auth_code: optionalText, code_verifier: optionalText });

async function grantCode(context: Context, deps: AuthDeps): Promise<SessionAnswer> {
  const { auth_code: code, code_verifier: verifier } = await readBody(context, codeGrant);
  if (code === "" || verifier === "") {
    throw invalid("invalid request: both auth code and code verifier should be non-empty");
  }
  try {
    return await exchangeCode(context, deps, { code, verifier });
  } catch (error) {
    // A caller who brings a used code and its verifier again may have stolen both: their session
    // ends.
    if (error instanceof AuthError && error.code === "flow_state_not_found") {
      await endSessionOf(deps, sessionIdOf(deps, { code, verifier }));
    }
    throw error;
  }
}

function exchangeCode(
  context: Context,
  deps: AuthDeps,
  { code, verifier }: { code: string; verifier: string },
): Promise<SessionAnswer> {
  return deps.sql.begin(async (sql) => {
    // A sign-up for the same address at this moment waits, or is waited for.
    const userId = await findCodeUser(sql, code);
    const before = userId === null ? null : await lockUser(sql, userId);
    const flow = await exchangeAuthCode(sql, { code, verifier }, deps.now());
    if (before?.email && CONFIRMING.includes(flow.method)) {
      // The client that gave the password has the link's code: both are the same person's.
      await confirmEmail(sql, deps, before, flow.method === "email/signup" ? "proven" : "dropped");
      await dropTokens(sql, before.id, ["confirmation_token"]);
    }
    const user = await findUserById(sql, flow.userId);
    if (user === null) throw new AuthError(404, "user_not_found", "User not found");
    if (isBanned(user, deps.now())) throw new AuthError(400, "user_banned", "User is banned");
    const session = await startSession(sql, deps, {
      user,
      method: flow.method,
      request: context.req.raw,
      id: sessionIdOf(deps, { code, verifier }),
    });
    return {
      ...session,
      ...(flow.providerToken && { provider_token: unseal(deps, flow.id, flow.providerToken) }),
      ...(flow.providerRefreshToken && {
        provider_refresh_token: unseal(deps, flow.id, flow.providerRefreshToken),
      }),
    };
  });
}

async function endSessionOf(deps: AuthDeps, id: string): Promise<void> {
  const session = await findSession(deps.sql, id, deps.now());
  if (session === null) return;
  await deps.sql.begin((sql) => endSessions(sql, { id, userId: session.user_id }, "local"));
}
