import type { ISql } from "postgres";
import { enqueueMail, enqueueSms } from "../mail/outbox.ts";
import { authCopy } from "./auth.copy.ts";
import type { AuthDeps } from "./deps.ts";
import { type Challenge, rememberChallenge } from "./flow-state.ts";
import { createToken, dropTokens } from "./one-time-tokens.ts";
import { type AmrMethod, issuerOf } from "./tokens.ts";
import { type UserRow, updateUser } from "./users.ts";

/** Parameters of a message beside its user. */
export type MessageOptions = {
  /** Page to which its link leads in the end, checked already. */
  target: string;
  /** Given when the client wants a code rather than a session in the address. */
  challenge: Challenge | null;
};

type MailDeps = Pick<AuthDeps, "now" | "keyedHash" | "settings">;

/**
 * Writes the mail that confirms a new account's address. Who has it sent again need not be who signed up: that client is
 * promised a session, and not the password that waits.
 */
export async function sendConfirmation(
  sql: ISql,
  deps: MailDeps,
  user: UserRow & { email: string },
  options: MessageOptions & { isAgain?: boolean },
): Promise<void> {
  const now = deps.now();
  await rememberFlow(sql, user, {
    ...options,
    method: options.isAgain ? "magiclink" : "email/signup",
    now,
  });
  const token = await createToken(sql, deps, {
    userId: user.id,
    type: "confirmation_token",
    relatesTo: user.email,
    isPkce: options.challenge !== null,
  });
  await enqueueMail(sql, {
    template: "confirmation",
    to: user.email,
    data: { url: linkTo(deps, "signup", token.link, options), code: token.code, ...nameOf(user) },
  });
  await updateUser(sql, user.id, { confirmation_sent_at: now }, now);
}

/** Writes the mail with which a new password is chosen, or with which one signs in without. */
export async function sendRecovery(
  sql: ISql,
  deps: MailDeps,
  user: UserRow & { email: string },
  options: MessageOptions & { kind: "recovery" | "magiclink" },
): Promise<void> {
  const now = deps.now();
  await rememberFlow(sql, user, { ...options, method: options.kind, now });
  const token = await createToken(sql, deps, {
    userId: user.id,
    type: "recovery_token",
    relatesTo: user.email,
    isPkce: options.challenge !== null,
  });
  await enqueueMail(sql, {
    template: options.kind === "recovery" ? "recovery" : "magic_link",
    to: user.email,
    data: {
      url: linkTo(deps, options.kind, token.link, options),
      code: token.code,
      ...nameOf(user),
    },
  });
  await updateUser(sql, user.id, { recovery_sent_at: now }, now);
}

/**
 * Writes to both mailboxes of a change: each has to agree. An address that another account has
 * gets no mail, so that this change never comes to pass; who asked is not told.
 */
export async function sendEmailChange(
  sql: ISql,
  deps: MailDeps,
  user: UserRow,
  options: MessageOptions & { newEmail: string; isTaken: boolean },
): Promise<UserRow> {
  const { newEmail } = options;
  const now = deps.now();
  await rememberFlow(sql, user, { ...options, method: "email_change", now });
  await dropTokens(sql, user.id, ["email_change_token_current", "email_change_token_new"]);
  const mailboxes = [
    ...(user.email === null
      ? []
      : [
          {
            to: user.email,
            type: "email_change_token_current" as const,
          },
        ]),
    ...(options.isTaken
      ? []
      : [
          {
            to: newEmail,
            type: "email_change_token_new" as const,
          },
        ]),
  ];
  for (const { to, type } of mailboxes) {
    const token = await createToken(sql, deps, {
      userId: user.id,
      type,
      relatesTo: to,
      isPkce: options.challenge !== null,
    });
    const url = linkTo(deps, "email_change", token.link, options);
    await enqueueMail(sql, {
      template: "email_change",
      to,
      data: {
        url,
        code: token.code,
        newEmail,
        ...(user.email !== null && { email: user.email }),
        ...nameOf(user),
      },
    });
  }
  return updateUser(
    sql,
    user.id,
    { email_change: newEmail, email_change_sent_at: now, email_change_confirm_status: 0 },
    now,
  );
}

/** Writes the code with which a session that is not fresh may change the password. */
export async function sendReauthentication(
  sql: ISql,
  deps: MailDeps,
  user: UserRow,
): Promise<void> {
  const now = deps.now();
  const relatesTo = user.email ?? user.phone ?? "";
  const { code } = await createToken(sql, deps, {
    userId: user.id,
    type: "reauthentication_token",
    relatesTo,
  });
  if (user.email === null) await enqueueSms(sql, { to: relatesTo, body: authCopy.smsCode(code) });
  else {
    await enqueueMail(sql, {
      template: "reauthentication",
      to: relatesTo,
      data: { code, ...nameOf(user) },
    });
  }
  await updateUser(sql, user.id, { reauthentication_sent_at: now }, now);
}

/** Writes the code that proves a phone: of an account, or one that is to become an account's. */
export async function sendPhoneCode(
  sql: ISql,
  deps: MailDeps,
  user: UserRow,
  options: { phone: string; isChange: boolean; isTaken?: boolean },
): Promise<UserRow> {
  const { phone } = options;
  const now = deps.now();
  if (options.isTaken) await dropTokens(sql, user.id, ["phone_change_token"]);
  else {
    const { code } = await createToken(sql, deps, {
      userId: user.id,
      type: options.isChange ? "phone_change_token" : "confirmation_token",
      relatesTo: phone,
    });
    await enqueueSms(sql, { to: phone, body: authCopy.smsCode(code) });
  }
  return updateUser(
    sql,
    user.id,
    options.isChange
      ? { phone_change: phone, phone_change_sent_at: now }
      : { confirmation_sent_at: now },
    now,
  );
}

/** The name that a person gave, for the mail's first line. */
export function nameOf(user: UserRow): { name?: string } {
  const name = user.raw_user_meta_data?.full_name;
  return typeof name === "string" && name.trim() !== "" ? { name: name.trim() } : {};
}

/** Stores the challenge of a client that asked with PKCE, for when the link of the mail is followed. */
async function rememberFlow(
  sql: ISql,
  user: UserRow,
  { challenge, method, now }: Pick<MessageOptions, "challenge"> & { method: AmrMethod; now: Date },
): Promise<void> {
  if (challenge === null) return;
  const flow = { userId: user.id, authenticationMethod: method, providerType: method };
  await rememberChallenge(sql, challenge, flow, now);
}

/** Address of the link of a mail, which leads to its target in the end. */
export function linkTo(
  deps: Pick<AuthDeps, "settings">,
  type: string,
  token: string,
  { target }: Pick<MessageOptions, "target">,
): string {
  const url = new URL(`${issuerOf(deps)}/verify`);
  url.search = new URLSearchParams({ token, type, redirect_to: target }).toString();
  return url.href;
}
