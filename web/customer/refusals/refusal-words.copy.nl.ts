import { errorCopy } from "#domain/errors/errors.copy.nl.ts";
import { wordsByCode } from "./words-by-code.ts";

/** The server's refusals in Dutch. */
export const refusalWords = wordsByCode(errorCopy);
