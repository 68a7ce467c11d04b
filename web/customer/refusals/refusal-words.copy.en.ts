import { errorCopy } from "#domain/errors/errors.copy.en.ts";
import { wordsByCode } from "./words-by-code.ts";

/** The server's refusals in English. */
export const refusalWords = wordsByCode(errorCopy);
