import type { Delivery } from "./delivery.ts";
import { readSms } from "./read-sms.ts";

/** Timeout of the gateway. */
const TIMEOUT_MS = 15_000;

/** An answer of the gateway that is not a success. */
class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: string;
  /** Whether another try is of no use, as in refusals of mail servers: one rule decides for both. */
  readonly isPermanent: boolean;

  constructor(status: number) {
    super(`The gateway answered ${status}.`);
    this.code = `HTTP_${status}`;
    // A wrong token or a full queue can be mended; a refused message stays refused.
    this.isPermanent = [400, 404, 410, 413, 422].includes(status);
  }
}

/** Sends text messages through the gateway of `SMS_URL`: `POST` with `{to, body}` and a bearer token. */
export function createSmsDelivery({ url, token }: { url: string; token: string }): Delivery {
  return async (message) => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        // A gateway that knows this header sends a repeat once.
        "idempotency-key": message.id,
      },
      body: JSON.stringify({ to: message.recipient, body: readSms(message) }),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new GatewayError(response.status);
    return "sent";
  };
}
