/** HTTP statuses of whole SQLSTATEs, as PostgREST's documentation has them; `TV…` are our own functions'. */
const BY_CODE: Readonly<Record<string, number>> = {
  "21000": 500,
  "23503": 409,
  "23505": 409,
  "25006": 405,
  "42501": 403,
  "42883": 404,
  "42P01": 404,
  "42P17": 500,
  "53400": 500,
  "57P01": 503,
  P0001: 400,
  // A session that was ended: pages ask for a new one wherever they read 401.
  TV011: 401,
};

/** The same, of their classes: the first two characters. */
const BY_CLASS: Readonly<Record<string, number>> = {
  "08": 503,
  "09": 500,
  "0L": 403,
  "0P": 403,
  "25": 500,
  "28": 403,
  "2D": 500,
  "38": 500,
  "39": 500,
  "3B": 500,
  "40": 500,
  "53": 503,
  "54": 500,
  "55": 500,
  "57": 500,
  "58": 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
};

/** Statuses that a function may name itself by raising `PT` and the number; a response knows no others. */
const CHOSEN = /^PT([2-5]\d{2})$/;

/** HTTP status of the answer to a statement that PostgreSQL refused with an SQLSTATE. */
export function statusOf(code: string): number {
  const chosen = CHOSEN.exec(code)?.[1];
  if (chosen !== undefined) return Number(chosen);
  if (code.startsWith("PT")) return 500;
  return BY_CODE[code] ?? BY_CLASS[code.slice(0, 2)] ?? 400;
}
