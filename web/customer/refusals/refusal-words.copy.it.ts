import { errorCopy } from "#domain/errors/errors.copy.it.ts";
import { wordsByCode } from "./words-by-code.ts";

/** The server's refusals in Italian. */
export const refusalWords = wordsByCode(errorCopy);
