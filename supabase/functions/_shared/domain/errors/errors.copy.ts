import { codeErrorCopy } from "./code-errors.copy.ts";
import { contactErrorCopy } from "./contact-errors.copy.ts";
import { journeyErrorCopy } from "./journey-errors.copy.ts";
import { officeErrorCopy } from "./office-errors.copy.ts";

/**
 * The French sentence of every error code that a server function answers
 * (specification, section 8; those that it does not name tell the person what to do).
 */
export const errorCopy = {
  ...journeyErrorCopy,
  ...codeErrorCopy,
  ...officeErrorCopy,
  ...contactErrorCopy,
} as const;

/** Fills `{detail}` of `customer_failed`: the database refuses what the form let through. */
export const customerRefused = "ces coordonnées ne peuvent pas être enregistrées";
