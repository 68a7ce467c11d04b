import type { TransactionSql } from "postgres";
import { z } from "zod";
import { enqueueMail } from "../../mail/outbox.ts";
import { optionalText, readBody } from "../body.ts";
import { readEmail } from "../contacts.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError, invalid } from "../errors.ts";
import { type JsonObject, metadata } from "../json.ts";
import { linkTo, nameOf } from "../messages.ts";
import { createToken, dropTokens, type IssuedToken } from "../one-time-tokens.ts";
import { checkPassword, hashAtOnce } from "../passwords.ts";
import { askedTarget, redirectTarget } from "../redirects.ts";
import type { RouteGroup } from "../route-group.ts";
import { loadUserAnswer } from "../user-answer.ts";
import { findUserByEmail, lockUser, type UserRow, updateUser } from "../users.ts";
import { createAccount, emailExists, lockContacts } from "./new-account.ts";
import { requireAdmin } from "./require-admin.ts";
import { noteKeyUse } from "./trail.ts";
import { mergedMetadata } from "./user-fields.ts";

const invitation = z.object({ email: optionalText, data: metadata });

const linkTypes = [
  "signup",
  "invite",
  "magiclink",
  "recovery",
  "email_change_current",
  "email_change_new",
] as const;

type LinkType = (typeof linkTypes)[number];

const linkRequest = z.object({
  type: optionalText,
  email: optionalText,
  new_email: optionalText,
  password: optionalText,
  data: metadata,
  redirect_to: optionalText,
});

/** Purpose of a requested link. */
type WantedLink = {
  type: LinkType;
  email: string;
  newEmail: string | null;
  passwordHash: string | null;
  data: JsonObject;
};

/** A link that was made; only the caller gets it. */
type MadeLink = { user: UserRow; type: LinkType; token: IssuedToken };

/** Invitations, and links that the operator passes on themselves. */
export const linkRoutes: RouteGroup = (app, deps) => {
  app.post("/invite", async (context) => {
    await requireAdmin(context, deps);
    const body = await readBody(context, invitation);
    const email = readEmail(body.email);
    const target = redirectTarget(deps, askedTarget(context));
    const answer = await deps.sql.begin(async (sql) => {
      const { user, token } = await invite(sql, deps, email, body.data);
      await enqueueMail(sql, {
        template: "account_invitation",
        to: email,
        data: { url: linkTo(deps, "invite", token.link, { target }), ...nameOf(user) },
      });
      await noteKeyUse(sql, "account.invited", user.id);
      return loadUserAnswer(sql, user);
    });
    return context.json(answer);
  });

  app.post("/admin/generate_link", async (context) => {
    await requireAdmin(context, deps);
    const body = await readBody(context, linkRequest);
    const email = readEmail(body.email);
    const type = z.enum(linkTypes).safeParse(body.type);
    if (!type.success) {
      throw invalid(`Invalid email action link type requested: ${body.type.slice(0, 50)}`);
    }
    const isChange = type.data.startsWith("email_change");
    if (body.password !== "") {
      await checkPassword(body.password, { emails: [email], metadata: body.data });
    }
    const target = redirectTarget(deps, body.redirect_to || askedTarget(context));
    const wanted: WantedLink = {
      type: type.data,
      email,
      newEmail: isChange ? readEmail(body.new_email) : null,
      passwordHash: body.password === "" ? null : await hashAtOnce(body.password),
      data: body.data,
    };
    const answer = await deps.sql.begin(async (sql) => {
      const made = await makeLink(sql, deps, wanted);
      await noteKeyUse(sql, "account.link_made", made.user.id, made.type);
      return {
        ...(await loadUserAnswer(sql, made.user)),
        action_link: linkTo(deps, isChange ? "email_change" : made.type, made.token.link, {
          target,
        }),
        email_otp: made.token.code,
        hashed_token: made.token.link,
        verification_type: made.type,
        redirect_to: target,
      };
    });
    return context.json(answer);
  });
};

type LinkDeps = Pick<AuthDeps, "now" | "keyedHash">;

async function makeLink(
  sql: TransactionSql,
  deps: LinkDeps,
  wanted: WantedLink,
): Promise<MadeLink> {
  const { type, email } = wanted;
  await lockContacts(sql, email, wanted.newEmail);
  const user = await findLocked(sql, email);
  if (type === "invite") return { ...(await invite(sql, deps, email, wanted.data)), type };
  // A person without an account signs up by the link that signs others in.
  if (type === "signup" || (type === "magiclink" && user === null)) {
    return { ...(await startSignUp(sql, deps, user, wanted)), type: "signup" };
  }
  if (user === null) {
    throw new AuthError(404, "user_not_found", "User with this email not found");
  }
  if (type === "magiclink" || type === "recovery") {
    const now = deps.now();
    const token = await createToken(sql, deps, {
      userId: user.id,
      type: "recovery_token",
      relatesTo: email,
    });
    return { user: await updateUser(sql, user.id, { recovery_sent_at: now }, now), token, type };
  }
  return { ...(await startEmailChange(sql, deps, user, wanted)), type };
}

/** Makes the account of an invitation, unless it waits already, and the token of its link. */
async function invite(
  sql: TransactionSql,
  deps: LinkDeps,
  email: string,
  data: JsonObject,
): Promise<Omit<MadeLink, "type">> {
  await lockContacts(sql, email);
  const waiting = await findLocked(sql, email);
  if (waiting !== null && waiting.email_confirmed_at !== null) throw emailExists();
  const user =
    waiting ?? (await createAccount(sql, deps, { email, passwordHash: null, userMetadata: data }));
  const now = deps.now();
  const change = { confirmation_sent_at: now, invited_at: now };
  return confirmable(sql, deps, await updateUser(sql, user.id, change, now), email);
}

async function startSignUp(
  sql: TransactionSql,
  deps: LinkDeps,
  waiting: UserRow | null,
  { type, email, passwordHash, data }: WantedLink,
): Promise<Omit<MadeLink, "type">> {
  if (waiting !== null && waiting.email_confirmed_at !== null) throw emailExists();
  if (waiting === null && type === "signup" && passwordHash === null) {
    throw invalid("Signup requires a valid password");
  }
  const user =
    waiting ??
    (await createAccount(sql, deps, {
      email,
      passwordHash: type === "signup" ? passwordHash : null,
      userMetadata: data,
    }));
  const now = deps.now();
  const change = {
    confirmation_sent_at: now,
    raw_user_meta_data: mergedMetadata(user.raw_user_meta_data, data),
  };
  return confirmable(sql, deps, await updateUser(sql, user.id, change, now), email);
}

async function confirmable(
  sql: TransactionSql,
  deps: LinkDeps,
  user: UserRow,
  email: string,
): Promise<Omit<MadeLink, "type">> {
  const token = await createToken(sql, deps, {
    userId: user.id,
    type: "confirmation_token",
    relatesTo: email,
  });
  return { user, token };
}

/** The link for one of the two mailboxes of a change; the other's stays, as long as the change is the same. */
async function startEmailChange(
  sql: TransactionSql,
  deps: LinkDeps,
  user: UserRow,
  { type, email, newEmail }: WantedLink,
): Promise<Omit<MadeLink, "type">> {
  if (newEmail === null || (await findUserByEmail(sql, newEmail)) !== null) throw emailExists();
  if (user.email_change !== newEmail) {
    await dropTokens(sql, user.id, ["email_change_token_current", "email_change_token_new"]);
  }
  const token = await createToken(sql, deps, {
    userId: user.id,
    ...(type === "email_change_current"
      ? { type: "email_change_token_current", relatesTo: email }
      : { type: "email_change_token_new", relatesTo: newEmail }),
  });
  const now = deps.now();
  const change = {
    email_change: newEmail,
    email_change_sent_at: now,
    email_change_confirm_status: 0,
  };
  return { user: await updateUser(sql, user.id, change, now), token };
}

async function findLocked(sql: TransactionSql, email: string): Promise<UserRow | null> {
  const user = await findUserByEmail(sql, email);
  return user && lockUser(sql, user.id);
}
