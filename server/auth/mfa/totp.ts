import { generate } from "lean-qr";
import { toSvgSource } from "lean-qr/extras/svg";
import { Secret, TOTP } from "otpauth";

/** Parameters that authenticator apps assume by default (RFC 6238). */
const SHAPE = { algorithm: "SHA1", digits: 6, period: 30 } as const;

const SECRET_BYTES = 20;

/** A new secret, with the address and the picture that hand it to an app. */
export type NewTotp = { secret: string; uri: string; qr_code: string };

/** Makes a secret for an account (`label`) at a service (`issuer`). */
export function newTotp(issuer: string, label: string): NewTotp {
  const totp = new TOTP({ ...SHAPE, issuer, label, secret: new Secret({ size: SECRET_BYTES }) });
  const uri = totp.toString();
  return { secret: totp.secret.base32, uri, qr_code: pictureOf(uri) };
}

/**
 * The number of the 30 seconds to which a one-time password belongs, one before or after the
 * present allowed; null when it is none of the three.
 */
export function stepOf(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const distance = totp.validate({ token: code, timestamp, window: 1 });
  return distance === null ? null : totp.counter({ timestamp }) + distance;
}

/**
 * The picture as SVG. The client library puts it into a `data:` address as it is, so it may not
 * hold the sign « # »: colours have names here.
 */
function pictureOf(uri: string): string {
  return toSvgSource(generate(uri), { on: "black", off: "white", pad: 4, scale: 4 });
}
