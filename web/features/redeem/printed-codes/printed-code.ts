import { isSlug } from "#domain/text/slugify.ts";
import { codeFromScan } from "../till/code-text.ts";

/** Longest address that is looked at, in characters: a QR code holds 4,296 at most, ours fewer than 200. */
const MAX_ADDRESS = 2_048;

/**
 * Content of a QR code, by its text alone. Only `campaign` and `organization` are of a merchant.
 */
export type PrintedCode =
  | { kind: "prize"; code: string }
  | { kind: "campaign"; slug: string }
  | { kind: "organization"; slug: string }
  /** Another page of this platform. */
  | { kind: "page" }
  /** Another site. */
  | { kind: "elsewhere"; host: string }
  /** Neither a prize nor an address. */
  | { kind: "other" };

/**
 * Reads the text of a QR code, or an address that was copied. `host` is this platform's own, with its port: another one
 * is never asked anything. Scheme and host alone say whose an address is; what precedes an « @ » is ignored.
 */
export function readPrinted(text: string, host: string): PrintedCode {
  const url = addressIn(text, host);
  if (url === null) {
    const code = codeFromScan(text);
    return code === null ? { kind: "other" } : { kind: "prize", code };
  }
  if (url.host !== host) return { kind: "elsewhere", host: url.host };
  const [, place, slug = ""] = url.pathname.split("/");
  if (!isSlug(slug)) return { kind: "page" };
  if (place === "c") return { kind: "campaign", slug };
  return place === "org" ? { kind: "organization", slug } : { kind: "page" };
}

function addressIn(text: string, host: string): URL | null {
  const address = text.trim();
  if (address.length > MAX_ADDRESS) return null;
  const isBare = address.toLowerCase().startsWith(`${host}/`);
  const full = isBare ? `https://${address}` : address;
  if (!/^https?:\/\//i.test(full)) return null;
  try {
    return new URL(full);
  } catch {
    return null;
  }
}
