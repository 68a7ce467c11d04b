import type { TransactionSql } from "postgres";
import { z } from "zod";
import { requireUser } from "../authenticate.ts";
import { optionalText, readBody } from "../body.ts";
import { checkCaptcha } from "../captcha.ts";
import { readEmail } from "../contacts.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError, invalid } from "../errors.ts";
import { readChallenge } from "../flow-state.ts";
import { metadata } from "../json.ts";
import { countAttempt, countMessage, requireAttempt } from "../limits.ts";
import {
  type MessageOptions,
  sendConfirmation,
  sendEmailChange,
  sendPhoneCode,
  sendReauthentication,
  sendRecovery,
} from "../messages.ts";
import { askedTarget, redirectTarget } from "../redirects.ts";
import type { RouteGroup } from "../route-group.ts";
import { findUserByEmail, findUserByPhone, lockUser } from "../users.ts";
import { findByContact, identifierOf, readContact, register } from "./sign-up.ts";

const challengeFields = { code_challenge: optionalText, code_challenge_method: optionalText };

const recovery = z.object({ email: optionalText, ...challengeFields });

const oneTimeCode = z.object({
  email: optionalText,
  phone: optionalText,
  create_user: z
    .boolean()
    .nullish()
    .transform((wanted) => wanted ?? true),
  data: metadata,
  channel: optionalText,
  ...challengeFields,
});

const resend = z.object({
  type: z.string().nullish(),
  email: optionalText,
  phone: optionalText,
  ...challengeFields,
});

const resendType = z.enum(["signup", "email_change", "sms", "phone_change"]);

/**
 * Mails and text messages on demand. The answer goes out before anything is looked up: whether
 * there is an account shows neither in its text nor in its time.
 */
export const messageRoutes: RouteGroup = (app, deps) => {
  app.post("/recover", async (context) => {
    requireAttempt(deps, "mail", context.req.raw);
    await checkCaptcha(context, deps);
    const body = await readBody(context, recovery);
    if (body.email === "") throw invalid("Password recovery requires an email");
    const email = readEmail(body.email);
    const message = readMessage(deps, body, askedTarget(context));
    await countMessage(deps, context.req.raw, { kind: "email", value: email });
    afterwards(deps, async (sql) => {
      const user = await findUserByEmail(sql, email);
      if (user) await sendRecovery(sql, deps, { ...user, email }, { ...message, kind: "recovery" });
    });
    return context.json({});
  });

  app.post("/otp", async (context) => {
    await checkCaptcha(context, deps);
    const body = await readBody(context, oneTimeCode);
    checkOneTimeCode(body);
    const message = readMessage(deps, body, askedTarget(context));
    const contact = readContact(deps, body);
    // A sign-up is counted with or without an account: limits must not reveal which addresses have one.
    if (body.create_user) await countAttempt(deps, { kind: "sign_up", request: context.req.raw });
    await countMessage(deps, context.req.raw, contact);
    afterwards(deps, async (sql) => {
      const user = await findByContact(sql, contact);
      const isPhone = contact.kind === "phone";
      if (user && (isPhone ? user.phone_confirmed_at : user.email_confirmed_at)) {
        if (isPhone)
          await sendPhoneCode(sql, deps, user, { phone: contact.value, isChange: false });
        else {
          const known = { ...user, email: contact.value };
          await sendRecovery(sql, deps, known, { ...message, kind: "magiclink" });
        }
      } else if (body.create_user) {
        const id = identifierOf(deps, contact);
        await register(sql, deps, { contact, id, passwordHash: null, data: body.data, message });
      }
    });
    return context.json({});
  });

  app.post("/resend", async (context) => {
    await checkCaptcha(context, deps);
    const body = await readBody(context, resend);
    const type = resendType.safeParse(body.type);
    if (!type.success) {
      throw invalid("Missing one of these types: signup, email_change, sms, phone_change");
    }
    checkResend(type.data, body);
    const message = readMessage(deps, body, askedTarget(context));
    const contact = readContact(deps, body);
    await countMessage(deps, context.req.raw, contact);
    const { value } = contact;
    afterwards(deps, (sql) => sendAgain(sql, deps, { type: type.data, value, message }));
    return context.json({});
  });

  app.get("/reauthenticate", async (context) => {
    const { user } = await requireUser(context, deps);
    const account = user.email ?? user.phone;
    if (!account) {
      throw invalid("Reauthentication requires the user to have an email or a phone number");
    }
    if (user.email !== null && user.email_confirmed_at === null) {
      throw new AuthError(422, "email_not_confirmed", "Please verify your email first.");
    }
    if (user.email === null && user.phone_confirmed_at === null) {
      throw new AuthError(422, "phone_not_confirmed", "Please verify your phone first.");
    }
    const kind = user.email === null ? "phone" : "email";
    await countMessage(deps, context.req.raw, { kind, value: account });
    await deps.sql.begin((sql) => sendReauthentication(sql, deps, user));
    return context.json({});
  });
};

async function sendAgain(
  sql: TransactionSql,
  deps: AuthDeps,
  options: { type: z.infer<typeof resendType>; value: string; message: MessageOptions },
): Promise<void> {
  const { type, value, message } = options;
  const isMail = type === "signup" || type === "email_change";
  const found = isMail ? await findUserByEmail(sql, value) : await findUserByPhone(sql, value);
  const user = found && (await lockUser(sql, found.id));
  if (!user) return;
  if (type === "signup" && user.email_confirmed_at === null) {
    await sendConfirmation(sql, deps, { ...user, email: value }, { ...message, isAgain: true });
  } else if (type === "sms" && user.phone_confirmed_at === null) {
    await sendPhoneCode(sql, deps, user, { phone: value, isChange: false });
  } else if (type === "email_change" && user.email_change) {
    const isTaken = (await findUserByEmail(sql, user.email_change)) !== null;
    await sendEmailChange(sql, deps, user, { ...message, newEmail: user.email_change, isTaken });
  } else if (type === "phone_change" && user.phone_change) {
    const isTaken = (await findUserByPhone(sql, user.phone_change)) !== null;
    await sendPhoneCode(sql, deps, user, { phone: user.phone_change, isChange: true, isTaken });
  }
}

function checkOneTimeCode({ email, phone, channel }: z.infer<typeof oneTimeCode>): void {
  if (email !== "" && phone !== "") {
    throw invalid("Only an email address or phone number should be provided");
  }
  if (email === "" && phone === "") throw invalid("One of email or phone must be set");
  if (email !== "" && channel !== "") {
    throw invalid("Channel should only be specified with Phone OTP");
  }
  checkChannel(channel);
}

/** Messages go out by SMS; the platform words the refusal of other ways so. */
export function checkChannel(channel: string): void {
  if (channel === "" || channel === "sms") return;
  throw invalid(
    "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.",
  );
}

function checkResend(
  type: z.infer<typeof resendType>,
  { email, phone }: z.infer<typeof resend>,
): void {
  if (type === "signup" && email === "") throw invalid("Type provided requires an email address");
  if (type === "sms" && phone === "") throw invalid("Type provided requires a phone number");
  if (email !== "" && phone !== "") {
    throw invalid("Only an email address or phone number should be provided.");
  }
  const needsMail = type === "signup" || type === "email_change";
  if (needsMail ? email === "" : phone === "") {
    throw invalid("Missing email address or phone number");
  }
}

function readMessage(
  deps: AuthDeps,
  body: { code_challenge: string; code_challenge_method: string },
  asked: string,
): MessageOptions {
  return {
    target: redirectTarget(deps, asked),
    challenge: readChallenge(body.code_challenge, body.code_challenge_method),
  };
}

function afterwards(deps: AuthDeps, work: (sql: TransactionSql) => Promise<void>): void {
  deps.later(deps.sql.begin(work).then(() => undefined));
}
