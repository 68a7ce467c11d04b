import { type ErrorDetails, errorBody } from "#domain/errors/errors.ts";
import { officeErrorCopy } from "#domain/errors/office-errors.copy.ts";
import { errorsCopy } from "./errors.copy.ts";
import { operatorContact } from "./operator-contact.ts";
import { takeWait } from "./retry-after.ts";

/** No answer came back: the network is down, too slow, or the platform is. */
export const NETWORK = "network";

/** The session is missing, expired or revoked. */
export const UNAUTHENTICATED = "unauthenticated";

/** Missing permission, perhaps withdrawn since. */
export const FORBIDDEN = "forbidden";

/** Too many attempts: the platform asks for a pause. */
export const TOO_MANY = "too_many_attempts";

/** The person has a second factor, and this session has not been given it. */
export const SECOND_FACTOR_REQUIRED = "second_factor_required";

/** The operator suspended the organisation. */
const SUSPENDED = "organization_suspended";

/** The organisation waits to be erased. */
const ENDING = "organization_ending";

/** Nothing can be changed: the plan is over, or the organisation suspended or about to be erased. */
export const CLOSED: readonly string[] = ["subscription_closed", SUSPENDED, ENDING];

/** Already a member of an organisation: a user belongs to one at a time. */
export const ALREADY_MEMBER = "TV020";

/** The platform said yes, and nothing of what it made. */
export const NO_DATA = "no_data";

type AppErrorFacts = {
  status?: number;
  details?: ErrorDetails | undefined;
  retryAfter?: number | null;
  cause?: unknown;
};

/** A failed call, known by its code. Its message is for the log, never for a person. */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: ErrorDetails | undefined;
  /** Seconds to wait before trying again, where the platform said so. */
  readonly retryAfter: number | null;

  constructor(code: string, { status = 0, details, retryAfter = null, cause }: AppErrorFacts = {}) {
    super(code, { cause });
    this.name = "AppError";
    this.code = code;
    this.status = status;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

function isOfficeCode(code: string): code is keyof typeof officeErrorCopy {
  return Object.hasOwn(officeErrorCopy, code);
}

/** Explanation of a suspension, and the address to write to: in the banner as in every refusal. */
export function suspensionText(): string {
  return officeErrorCopy.organization_suspended + errorsCopy.writeTo(operatorContact.email);
}

/** Sentence for an error, in French; a feature adds the codes that only it knows. */
export function errorMessage(error: unknown, own: Readonly<Record<string, string>> = {}): string {
  if (!(error instanceof AppError)) return errorsCopy.unknown;
  const { code } = error;
  if (code === TOO_MANY && error.retryAfter) return errorsCopy.tooMany(error.retryAfter);
  if (Object.hasOwn(own, code)) return own[code] ?? errorsCopy.unknown;
  if (code === NETWORK) return errorsCopy.network;
  if (code === SUSPENDED) return suspensionText();
  // The server functions say it of the till alone.
  if (code === FORBIDDEN) return errorsCopy.forbidden;
  return isOfficeCode(code) ? officeErrorCopy[code] : errorsCopy.unknown;
}

/** Codes of the data API that say the same as one of ours. */
const DATA_CODES: Readonly<Record<string, string>> = {
  "42501": FORBIDDEN,
  PGRST301: UNAUTHENTICATED,
  PGRST302: UNAUTHENTICATED,
  PGRST303: UNAUTHENTICATED,
  TV010: SECOND_FACTOR_REQUIRED,
  TV011: UNAUTHENTICATED,
  TV085: "subscription_closed",
  TV120: "reading_closed",
  TV190: SUSPENDED,
  TV191: ENDING,
};

/** Error of a query or of an SQL function (`rest/v1`), from the client library's answer. */
export function dataError(answer: { error: { code?: string }; status: number }): AppError {
  const { error, status } = answer;
  // 502 and above: the gateway reaches no server, which counts as no network.
  if (status === 0 || status >= 502) return new AppError(NETWORK, { status, cause: error });
  if (status === 401) return new AppError(UNAUTHENTICATED, { status, cause: error });
  const code = DATA_CODES[error.code ?? ""] ?? error.code ?? "";
  return new AppError(code || "unknown", { status, cause: error });
}

/** Error of a server function (`functions/v1`): its body is in the library's error, unread. */
export async function functionError(error: { context?: unknown }): Promise<AppError> {
  const { context } = error;
  if (!(context instanceof Response)) return new AppError(NETWORK, { cause: error });
  const { status } = context;
  const body = errorBody.safeParse(await context.json().catch(() => null));
  if (body.success) {
    const { code, details } = body.data.error;
    return new AppError(code, { status, details, cause: error });
  }
  const code = status === 401 ? UNAUTHENTICATED : status >= 502 ? NETWORK : "unknown";
  return new AppError(code, { status, cause: error });
}

/** Failed call, as the authentication client describes it. */
type AuthFailure = { name?: string; code?: string | undefined; status?: number | undefined };

/** Error of an authentication call (`auth/v1`). */
export function authError(error: AuthFailure): AppError {
  const status = error.status ?? 0;
  if (error.name === "AuthSessionMissingError") {
    return new AppError(UNAUTHENTICATED, { status: 401, cause: error });
  }
  if (status === 429)
    return new AppError(TOO_MANY, { status, retryAfter: takeWait(), cause: error });
  // Without a status, the client itself found something wrong: with a code, or no answer came.
  if (status === 0 && error.code) return new AppError(error.code, { cause: error });
  if (status === 0 || status >= 502) return new AppError(NETWORK, { status, cause: error });
  return new AppError(error.code ?? "unknown", { status, cause: error });
}
