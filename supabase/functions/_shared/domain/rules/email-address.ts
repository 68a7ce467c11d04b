import { EMAIL_MAX_LENGTH } from "./constants.ts";

/** Most characters in front of the @ (RFC 5321, section 4.5.3.1.1). */
const LOCAL_MAX_LENGTH = 64;

/**
 * Letters, digits and signs in front of the @, single dots between them (RFC 5321, dot-string), without the `%` and `!` that
 * relays read as a route; behind it a host name of ASCII labels, the last one without digits unless it is an `xn--` one.
 */
const SHAPE =
  /^[\w#$&'*+/=?^`{|}~-]+(\.[\w#$&'*+/=?^`{|}~-]+)*@([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+([a-z]{2,63}|xn--[a-z\d-]{0,58}[a-z\d])$/i;

/**
 * Whether a text is an address that every mail server can be asked to reach: ASCII alone, neither blanks nor brackets around
 * it. `private.is_email` says the same in SQL, and a test compares the two. The length is judged first, since the shape takes
 * longer the longer the text is.
 */
export function isEmailAddress(text: string): boolean {
  return (
    text.length <= EMAIL_MAX_LENGTH && text.indexOf("@") <= LOCAL_MAX_LENGTH && SHAPE.test(text)
  );
}
