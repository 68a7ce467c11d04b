import {
  capture,
  type Deliveries,
  type Delivery,
  refuse,
} from "../../supabase/functions/_shared/messages/delivery.ts";
import type { MailSender } from "../../supabase/functions/_shared/messages/render.ts";
import { createSmsDelivery } from "../../supabase/functions/_shared/messages/sms-gateway.ts";
import { createSmtpDelivery } from "../../supabase/functions/_shared/messages/smtp.ts";
import type { Config } from "../config/config.ts";

/** How messages leave under this configuration; what nothing sends stays in the local mailbox. */
export function deliveriesOf(
  { mail, sms, isProduction }: Pick<Config, "mail" | "sms" | "isProduction">,
  sender: MailSender,
  others: Readonly<{ payment: Delivery; push: Delivery }>,
): Deliveries {
  const otherwise = isProduction ? refuse : capture;
  return {
    // Here the bytes of a file are stored with its row, and were deleted with it (server/postgres/storage-schema.ts).
    file: async () => "sent",
    mail: mail ? createSmtpDelivery(mail, sender) : otherwise,
    ...others,
    sms: sms ? createSmsDelivery(sms) : otherwise,
  };
}
