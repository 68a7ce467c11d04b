import { PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from "#domain/rules/account.ts";
import type { AuthDeps } from "./deps.ts";
import { AuthError, invalid } from "./errors.ts";
import { isOfContext, type PasswordOwner } from "./password-words.ts";

const COST = 10;

/** How many of the world's favourite passwords are refused. */
const COMMON = 10_000;

/** Hash of a random password: verified when there is no account, so that it takes as long. */
const NOBODYS_HASH = "$2b$10$t44aZ6iY8yo0f5jgRwvMRe0yYeA5bG4LkAO2dn4YV0Fk4XNKC2Dvq";

/** Dependencies by which work on a password takes its place in the queue. */
type TurnDeps = Pick<AuthDeps, "passwordQueue" | "clientAddress">;

/** Hashes a password that no request waits for, in a thread of its own. */
export async function hashAtOnce(password: string): Promise<string> {
  const { hash } = await import("@node-rs/bcrypt");
  return hash(password, { cost: COST });
}

/** Hashes a password when the request's turn comes; refuses with 429 while too many wait. */
export function hashPassword(deps: TurnDeps, request: Request, password: string): Promise<string> {
  return deps.passwordQueue.run(deps.clientAddress(request), () => hashAtOnce(password));
}

/**
 * Whether a password is the one that was hashed (by us or by a hosted project: `$2a` and `$2b`),
 * found out when the request's turn comes; refuses with 429 while too many wait.
 * Without a hash the answer is no, and takes as long.
 */
export async function verifyPassword(
  deps: TurnDeps,
  request: Request,
  password: string,
  hash: string | null,
): Promise<boolean> {
  const { verify } = await import("@node-rs/bcrypt");
  const isHash = hash !== null && /^\$2[aby]\$\d\d\$.{53}$/.test(hash);
  const isRight = await deps.passwordQueue.run(deps.clientAddress(request), () =>
    verify(password, isHash ? hash : NOBODYS_HASH),
  );
  return isHash && isRight;
}

/** Refuses a request whose password the queue would not accept, before anything else is done for it. */
export function requirePasswordRoom(deps: TurnDeps, request: Request): void {
  deps.passwordQueue.requireRoom(deps.clientAddress(request));
}

/** Refuses a password that is too short, too long, everybody's, or a word of its context (`isOfContext`). */
export async function checkPassword(password: string, owner: PasswordOwner): Promise<void> {
  const reasons = await weaknesses(password, owner);
  if (reasons.length === 0) return;
  const sentences = {
    length: `Password should be at least ${PASSWORD_MIN_LENGTH} characters.`,
    pwned: "Password is known to be weak and easy to guess, please choose a different one.",
  };
  const message = reasons.map((reason) => sentences[reason]).join(" ");
  throw new AuthError(422, "weak_password", message, { weakPassword: reasons });
}

async function weaknesses(password: string, owner: PasswordOwner): Promise<("length" | "pwned")[]> {
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) {
    throw invalid(`Password cannot be longer than ${PASSWORD_MAX_BYTES} characters`);
  }
  if ([...password].length < PASSWORD_MIN_LENGTH) return ["length"];
  return isOfContext(password, owner) || (await isCommon(password)) ? ["pwned"] : [];
}

/** Lists of what people choose: large, and loaded when a user chooses a password. */
type CommonPasswords = {
  favourites: ReadonlySet<string>;
  /** French words and names; as passwords of their own they are among the first that are guessed here. */
  words: ReadonlySet<string>;
};

let common: Promise<CommonPasswords> | undefined;

async function isCommon(password: string): Promise<boolean> {
  common ??= loadCommon();
  const { favourites, words } = await common;
  return favourites.has(password.toLowerCase()) || words.has(plain(password));
}

async function loadCommon(): Promise<CommonPasswords> {
  const [world, french] = await Promise.all([
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-fr"),
  ]);
  const lists = ["commonWords-fr", "firstnames-fr", "lastnames-fr"] as const;
  return {
    favourites: new Set(world.dictionary["passwords-common"].slice(0, COMMON)),
    words: new Set(lists.flatMap((list) => french.dictionary[list].map(plain))),
  };
}

/** A word without capitals and accents, which add no safety. */
function plain(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
