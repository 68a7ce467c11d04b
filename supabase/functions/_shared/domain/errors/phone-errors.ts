import type { journeyErrorCopy } from "./journey-errors.copy.ts";
import type { officeErrorCopy } from "./office-errors.copy.ts";

/** Refusals of the data API and of other services, which no phone page meets. */
type OfServices = "api_key_refused" | "api_not_in_plan" | "api_off" | "invalid_signature";

/** Refusals that every function may answer with. */
type OfAll = Extract<
  keyof typeof officeErrorCopy,
  | "invalid_request"
  | "too_many_attempts"
  | "method_not_allowed"
  | "not_found"
  | "internal_error"
  | "service_unavailable"
>;

/** Translation of the refusals that phone pages show. */
export type PhoneErrors = Readonly<
  Record<Exclude<keyof typeof journeyErrorCopy, OfServices> | OfAll, string>
>;
