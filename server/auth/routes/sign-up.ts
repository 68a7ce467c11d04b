import { randomUUID } from "node:crypto";
import type { ISql, TransactionSql } from "postgres";
import { z } from "zod";
import { asUuid } from "../as-uuid.ts";
import { optionalText, readBody } from "../body.ts";
import { checkCaptcha } from "../captcha.ts";
import { readEmail, readPhone } from "../contacts.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError, invalid } from "../errors.ts";
import { dropFlows, readChallenge } from "../flow-state.ts";
import { type JsonObject, metadata } from "../json.ts";
import { countAttempt, countMessage } from "../limits.ts";
import { type MessageOptions, sendConfirmation, sendPhoneCode } from "../messages.ts";
import { checkPassword, hashPassword, requirePasswordRoom } from "../passwords.ts";
import { askedTarget, redirectTarget } from "../redirects.ts";
import type { RouteGroup } from "../route-group.ts";
import { startSession } from "../sessions.ts";
import { logged } from "../sign-in-log.ts";
import {
  findUserByEmail,
  findUserByPhone,
  insertUser,
  lockUser,
  mergeIdentity,
  type UserRow,
  updateUser,
} from "../users.ts";

const signUp = z.object({
  email: optionalText,
  phone: optionalText,
  password: optionalText,
  data: metadata,
  channel: optionalText,
  code_challenge: optionalText,
  code_challenge_method: optionalText,
});

/** A mailbox or a phone that is to become an account. */
type Contact = { kind: "email" | "phone"; value: string };

type Registration = {
  contact: Contact;
  /** Identifier that the account gets when it is free. */
  id: string;
  /** Null for a user who signs in with links and codes only. */
  passwordHash: string | null;
  data: JsonObject;
  message: MessageOptions;
};

/** New accounts. */
export const signUpRoutes: RouteGroup = (app, deps) => {
  app.post("/signup", async (context) => {
    await checkCaptcha(context, deps);
    const body = await readBody(context, signUp);
    const request = context.req.raw;
    if (body.email === "" && body.phone === "") {
      return context.json(
        await logged(context, deps, "anonymous", () => signUpAnonymously(deps, request, body.data)),
      );
    }
    if (body.password === "") throw invalid("Signup requires a valid password");
    if (body.email !== "" && body.phone !== "") {
      throw invalid("Only an email address or phone number should be provided on signup.");
    }
    if (body.phone !== "" && body.code_challenge !== "") {
      throw invalid("PKCE not supported for phone signups");
    }
    const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
    const contact = readContact(deps, body);
    requirePasswordRoom(deps, request);
    await checkPassword(body.password, { emails: [body.email], metadata: body.data });
    await countAttempt(deps, { kind: "sign_up", request, account: contact.value });
    await countMessage(deps, request, contact);
    const registration: Registration = {
      contact,
      id: identifierOf(deps, contact),
      passwordHash: await hashPassword(deps, request, body.password),
      data: body.data,
      message: { target: redirectTarget(deps, askedTarget(context)), challenge },
    };
    await deps.sql.begin((sql) => register(sql, deps, registration));
    return context.json(pendingUser(deps, registration));
  });
};

/**
 * Makes the account and writes to its mailbox or phone. One that is not confirmed yet
 * waits with what was given last, which only the client that gave it can confirm; to one that is
 * confirmed nothing happens, and takes as long.
 */
export async function register(
  sql: TransactionSql,
  deps: AuthDeps,
  registration: Registration,
): Promise<void> {
  const { contact } = registration;
  // The second of two concurrent sign-ups finds the first's account.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-up ${contact.value}`}, 0))`;
  const existing = await findByContact(sql, contact);
  if (existing === null) return writeNew(sql, deps, registration);
  const isConfirmed =
    contact.kind === "email" ? existing.email_confirmed_at : existing.phone_confirmed_at;
  if (isConfirmed) return pretend(sql, deps, registration);
  await lockUser(sql, existing.id);
  // A code on its way to an earlier client must not confirm the password of this one.
  await dropFlows(sql, existing.id);
  const now = deps.now();
  const data = { ...registration.data, ...factsOf(existing.id, contact) };
  const user = await updateUser(
    sql,
    existing.id,
    { encrypted_password: registration.passwordHash, raw_user_meta_data: data },
    now,
  );
  await mergeIdentity(sql, { userId: user.id, provider: contact.kind, data }, now);
  await send(sql, deps, user, registration);
}

async function writeNew(
  sql: ISql,
  deps: AuthDeps,
  { contact, id, passwordHash, data, message }: Registration,
): Promise<void> {
  const now = deps.now();
  const [taken] = await sql`select from auth.users where id = ${id}`;
  const userId = taken ? randomUUID() : id;
  const userMetadata = { ...data, ...factsOf(userId, contact) };
  const user = await insertUser(
    sql,
    {
      id: userId,
      [contact.kind]: contact.value,
      passwordHash,
      userMetadata,
      providers: [contact.kind],
    },
    now,
  );
  await mergeIdentity(sql, { userId, provider: contact.kind, data: userMetadata }, now);
  await send(sql, deps, user, { contact, message });
}

class Undo extends Error {}

/** The work of a new account, rolled back, so that the response time reveals nothing. */
async function pretend(
  sql: TransactionSql,
  deps: AuthDeps,
  registration: Registration,
): Promise<void> {
  const { contact } = registration;
  const id = randomUUID();
  const value = contact.kind === "email" ? `${id}@nobody.invalid` : unassignedNumber();
  const work = sql.savepoint(async (inner) => {
    await writeNew(inner, deps, { ...registration, id, contact: { ...contact, value } });
    throw new Undo();
  });
  await work.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
}

async function send(
  sql: ISql,
  deps: AuthDeps,
  user: UserRow,
  { contact, message }: Pick<Registration, "contact" | "message">,
): Promise<void> {
  if (contact.kind === "phone") {
    await sendPhoneCode(sql, deps, user, { phone: contact.value, isChange: false });
  } else await sendConfirmation(sql, deps, { ...user, email: contact.value }, message);
}

/** The account that a mailbox or a phone signs in to. */
export function findByContact(sql: ISql, { kind, value }: Contact): Promise<UserRow | null> {
  return kind === "email" ? findUserByEmail(sql, value) : findUserByPhone(sql, value);
}

/** Reads which of the two a call names; a phone only where messages reach one. */
export function readContact(
  { settings }: Pick<AuthDeps, "settings">,
  { email, phone }: { email: string; phone: string },
): Contact {
  if (email !== "") return { kind: "email", value: readEmail(email) };
  if (!settings.hasPhone) {
    throw new AuthError(400, "phone_provider_disabled", "Phone signups are disabled");
  }
  return { kind: "phone", value: readPhone(phone) };
}

/**
 * Identifier of the account of a mailbox or phone. It follows from the address under the
 * installation's key, so that the answer to a sign-up is the same whether there is one or not.
 */
export function identifierOf({ keyedHash }: Pick<AuthDeps, "keyedHash">, contact: Contact): string {
  return asUuid(keyedHash("auth user", `${contact.kind}\0${contact.value}`));
}

/** Our own facts about a new account's ways in; a person's claims about these count for nothing. */
function factsOf(userId: string, { kind, value }: Contact): JsonObject {
  return { sub: userId, [kind]: value, email_verified: false, phone_verified: false };
}

/** The answer to every sign-up, made of what was given alone. */
function pendingUser(deps: AuthDeps, { contact, id, data }: Registration) {
  const now = deps.now();
  const userMetadata = { ...data, ...factsOf(id, contact) };
  const providers = [contact.kind];
  return {
    id,
    aud: "authenticated",
    role: "authenticated",
    email: contact.kind === "email" ? contact.value : "",
    phone: contact.kind === "phone" ? contact.value : "",
    confirmation_sent_at: now,
    app_metadata: { provider: contact.kind, providers },
    user_metadata: userMetadata,
    identities: [
      {
        identity_id: identifierOf(deps, { ...contact, value: `identity ${contact.value}` }),
        id,
        user_id: id,
        identity_data: userMetadata,
        provider: contact.kind,
        last_sign_in_at: now,
        created_at: now,
        updated_at: now,
        ...(contact.kind === "email" && { email: contact.value }),
      },
    ],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}

async function signUpAnonymously(deps: AuthDeps, request: Request, data: JsonObject) {
  if (!deps.settings.allowsAnonymous) {
    throw new AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled");
  }
  await countAttempt(deps, { kind: "anonymous", request });
  return deps.sql.begin(async (sql) => {
    const user = await insertUser(
      sql,
      { userMetadata: data, providers: [], isAnonymous: true },
      deps.now(),
    );
    return startSession(sql, deps, { user, method: "anonymous", request });
  });
}

/** A number that nobody can have, since no number starts with a zero. */
function unassignedNumber(): string {
  return `0${Date.now()}${Math.floor(Math.random() * 1e6)}`;
}
