import { errorCopy } from "#domain/errors/errors.copy.de.ts";
import { wordsByCode } from "./words-by-code.ts";

/** The server's refusals in German. */
export const refusalWords = wordsByCode(errorCopy);
