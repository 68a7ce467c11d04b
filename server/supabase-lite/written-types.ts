import { arrayLiteral, type Item, readArray } from "./literals.ts";

/** How values of a type travel between PostgreSQL's text and JSON. */
type WrittenType = {
  to: number;
  from: number[];
  serialize: (value: unknown) => string;
  parse: (text: string) => unknown;
};

/** Text that PostgreSQL reads as a value of whatever type the place has; texts are that already. */
function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** JSON has no NaN and no infinity: PostgreSQL writes a string instead. */
function numberOrText(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

/** Large integers stay exact until they are written. */
function integer(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** `2026-11-22 13:49:01+00`, as PostgreSQL writes it in JSON: `2026-11-22T13:49:01+00:00`. */
function isoMoment(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d{2})(?=$| BC$)/, "$1:00");
}

const same = (text: string) => text;

const truth = (text: string) => text === "t";

const json = (text: string): unknown => JSON.parse(text);

/** Items of an array that a filter names. */
function itemOf(value: unknown): Item {
  if (value === null) return null;
  return Array.isArray(value) ? value.map(itemOf) : asText(value);
}

/** The type with a number in PostgreSQL's catalog. */
function written(oids: [number, ...number[]], parse: (text: string) => unknown): WrittenType {
  return { to: oids[0], from: oids, serialize: asText, parse };
}

/** Arrays of a type, by the number of their own. */
function arrays(oids: [number, ...number[]], parse: (text: string) => unknown): WrittenType {
  return {
    to: oids[0],
    from: oids,
    serialize: (value) => (Array.isArray(value) ? arrayLiteral(value.map(itemOf)) : asText(value)),
    parse: (text) => readArray(text, parse),
  };
}

/**
 * Types of the data API's connections: the driver answers what `to_json` would write of a value, so that a row reads
 * the same wherever it occurs in an answer. What is sent is the text of a value (`typed-values.ts`). The names are
 * those under which the driver and Supabase Lite have other ideas of them.
 */
export const writtenTypes = {
  number: written([700, 21, 23, 701], numberOrText),
  bigint: written([20], integer),
  numeric: written([1700], numberOrText),
  boolean: written([16], truth),
  bytea: written([17], same),
  json: written([114], json),
  jsonb: written([3802], json),
  date: written([1082], same),
  timestamp: written([1114], isoMoment),
  timestamptz: written([1184], isoMoment),
  numbers: arrays([1005, 1007, 1021, 1022, 1231], numberOrText),
  bigints: arrays([1016], integer),
  booleans: arrays([1000], truth),
  documents: arrays([199, 3807], json),
  moments: arrays([1115, 1185], isoMoment),
  // bytea, char, text, bpchar, varchar, inet, date, time, interval, timetz, uuid.
  texts: arrays([1009, 1001, 1002, 1014, 1015, 1041, 1182, 1183, 1187, 1270, 2951], same),
} as const;
