import { errorCopy } from "#domain/errors/errors.copy.es.ts";
import { wordsByCode } from "./words-by-code.ts";

/** The server's refusals in Spanish. */
export const refusalWords = wordsByCode(errorCopy);
