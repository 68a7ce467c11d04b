import { lookup } from "node:dns/promises";
import * as z from "zod/mini";
import { LOGO_BUCKET } from "../_shared/domain/schemas/brand.ts";
import {
  type Operator,
  operatorJson,
  unknownOperator,
} from "../_shared/domain/schemas/operator.ts";
import { syncCustomer } from "../_shared/http/apply-state.ts";
import type { Deps } from "../_shared/http/deps.ts";
import { createFileStore, type FileStore } from "../_shared/http/file-store.ts";
import { createOutsideFetch } from "../_shared/http/outside-request.ts";
import { type Delivery, refuse, waitForDriver } from "../_shared/messages/delivery.ts";
import { createPushDelivery } from "../_shared/messages/push-service.ts";
import { createSmsDelivery } from "../_shared/messages/sms-gateway.ts";
import { createSmtpDelivery } from "../_shared/messages/smtp.ts";
import { parseVapidKeys, vapidSubject } from "../_shared/messages/vapid-keys.ts";
import type { Work } from "./handler.ts";

/** Secrets of a project that sends its own messages; the names are those of our own server. */
const environment = z.object({
  SUPABASE_URL: z.url(),
  SUPABASE_SERVICE_ROLE_KEY: z.string(),
  /** Address of the functions as people reach it, where that differs from what functions see. */
  PROJECT_URL: z.optional(z.url()),
  JOBS_SECRET: z.string().check(z.minLength(32)),
  SITE_URL: z.url(),
  OPERATOR: z._default(operatorJson, unknownOperator),
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/ })),
  MAIL_FROM: z.optional(z.string()),
  SMS_URL: z.optional(z.url()),
  SMS_TOKEN: z.optional(z.string()),
  VAPID_KEYS: z.optional(z.string()),
});

/** Opens the ways out of a Supabase project, as its secrets describe them. */
export function openWork(variables: Record<string, string | undefined>, deps: Deps): Work {
  const env = environment.parse(variables);
  const files = createFileStore(env.SUPABASE_URL, env.SUPABASE_SERVICE_ROLE_KEY);
  const sender = {
    siteUrl: env.SITE_URL,
    projectUrl: env.PROJECT_URL ?? env.SUPABASE_URL,
    operator: env.OPERATOR satisfies Operator,
    readLogo: (path: string) => files.read(LOGO_BUCKET, path),
  };
  const keys = parseVapidKeys(env.VAPID_KEYS ?? "");
  const subject = vapidSubject(env.OPERATOR.contact_email, env.SITE_URL);
  return {
    secret: env.JOBS_SECRET,
    deliveries: {
      mail:
        env.SMTP_URL && env.MAIL_FROM
          ? createSmtpDelivery({ smtpUrl: env.SMTP_URL, from: env.MAIL_FROM, findAddress }, sender)
          : waitForDriver,
      sms:
        env.SMS_URL && env.SMS_TOKEN
          ? createSmsDelivery({ url: env.SMS_URL, token: env.SMS_TOKEN })
          : refuse,
      // Without the keys no page offers to register a device.
      push: keys
        ? createPushDelivery({
            sql: deps.sql,
            keys,
            subject,
            now: deps.now,
            send: createOutsideFetch(),
          })
        : refuse,
      payment: paymentDelivery(deps),
      file: fileDelivery(files),
    },
  };
}

/** Reads at the provider what was written down; nothing where payments are switched off. */
function paymentDelivery(deps: Deps): Delivery {
  const { payments } = deps;
  return async ({ template, recipient }) => {
    if (payments && template === "reconcile") await syncCustomer(deps, payments, recipient);
    return "sent";
  };
}

/** One address of a mail server, which all have one of IPv4. */
async function findAddress(host: string): Promise<string> {
  const { address } = await lookup(host, { family: 4 });
  return address;
}

const names = z.object({ names: z.array(z.string()).check(z.minLength(1)) });

/** Removes files through the storage, which takes their bytes as well. */
function fileDelivery(files: FileStore): Delivery {
  return async ({ recipient: bucket, data }) => {
    await files.remove(bucket, names.parse(data).names);
    return "sent";
  };
}
