import type { Config } from "../config.ts";
import type { MailSender } from "../mail/render.ts";
import { createSmtpDelivery } from "../mail/smtp.ts";
import { createSmsDelivery } from "../sms/http.ts";
import { capture, type Deliveries, type Delivery, refuse } from "./delivery.ts";

/** How messages leave under this configuration; what nothing sends stays in the local mailbox. */
export function deliveriesOf(
  { mail, sms, isProduction }: Pick<Config, "mail" | "sms" | "isProduction">,
  sender: MailSender,
  payment: Delivery,
): Deliveries {
  const otherwise = isProduction ? refuse : capture;
  return {
    mail: mail ? createSmtpDelivery(mail, sender) : otherwise,
    payment,
    sms: sms ? createSmsDelivery(sms) : otherwise,
  };
}
