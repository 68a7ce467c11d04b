import { grouped } from "./grouped.ts";
import { wordFor } from "./operands.ts";
import { whileReading } from "./reading-calls.ts";
import { refusalResponse } from "./refusals.ts";
import { sortedSearch } from "./sorted-search.ts";

/** Parameters of an address that are no filters, nor arguments of a function. */
const NO_FILTER = /^(?:select|columns|on_conflict|apikey)$|(?:^|\.)(?:order|limit|offset)$/;

const FUNCTION = /\/rpc\/[^/]+\/?$/;

/** Resource, and the column or the tree of conditions that a parameter's name means. */
const NAMED = /^((?:[^.]+\.)*?)((?:not\.)?(?:and|or)|[a-z_]\w*(?:->.*)?)$/is;

/** Operator with its negation and what it has in brackets: `not.eq(any).`. */
const OPERATOR =
  /(not\.)?(?:(eq|gte?|lte?|i?like|i?match)(\((?:any|all)\))?|(neq|isdistinct|in|is|cs|cd|ov|sl|sr|nxl|nxr|adj)|((?:pl|ph|w)?fts)(\([A-Za-z_][\w ]*(?:\.[A-Za-z_]\w*)?\))?)\./y;

const NESTED = /\s*((?:not\.)?(?:and|or))\s*\(/y;
const COLUMN = /\s*([a-z_]\w*(?:->[^".,()]*)?)\./iy;
const QUOTED = /"((?:\\.|[^"\\])*)"(?=[,)]|$)/sy;
const BRACES = /\{(?:"(?:\\.|[^"\\])*"|[^"{}])*\}(?=[,)])/sy;
const PLAIN = /[^,)]*/sy;
/** Item of a list at the end of an address's value: brackets within belong to it. */
const LAST_PLAIN = /[^,]*/sy;
const IS_WORDS = "(?:null|not_null|true|false|unknown)";
/** Word behind `is`. Outside a tree PostgREST, and the library, let more follow: `is.nullx` is null there. */
const IS_WORD = new RegExp(`${IS_WORDS}(?=\\s*[,)])`, "iy");
/** Operator `is` of a filter that has none of its words. */
const NO_IS = new RegExp(`^(?:not\\.)?is\\.(?!\\s*${IS_WORDS})`, "i");
const BETWEEN = /\s*,\s*/y;
const END = /\s*\)\s*/y;

/** Place within a text that is read from its start to its end. */
class Reader {
  at = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Takes what a sticky pattern finds here; null where it finds nothing. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  /** Whether nothing is left. */
  isDone(): boolean {
    return this.at === this.text.length;
  }
}

/** Operator at a place of an address. */
type Operator = { negation: string; name: string; more: string };

function readOperator(reader: Reader): Operator | null {
  const found = reader.take(OPERATOR);
  if (!found) return null;
  const [, negation = "", quantifiable = "", quantity = "", plain = "", search = "", config = ""] =
    found;
  return { negation, name: quantifiable || plain || search, more: quantity || config };
}

/** Condition whose operand the library takes for the text that it is. */
function written({ negation, name, more }: Operator, operand: string): string {
  const text = name === "like" || name === "ilike" ? operand.replaceAll("*", "%") : operand;
  const isList = more === "(any)" || more === "(all)";
  return `${negation}${name}${more}.${isList ? `{${wordFor(text)}}` : wordFor(text)}`;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, "$1");
}

/** Items of a list up to its end. */
function readItems(reader: Reader, plain: RegExp): string[] {
  const items: string[] = [];
  do {
    const quoted = reader.take(QUOTED)?.[1];
    items.push(quoted === undefined ? (reader.take(plain)?.[0] ?? "") : unescaped(quoted));
  } while (reader.take(/,/y));
  return items;
}

function list({ negation }: Operator, items: readonly string[]): string {
  return `${negation}in.(${items.map(wordFor).join(",")})`;
}

/** Filter of one column, as the library takes it for what it means; null for none, which the library refuses. */
function readFilter(value: string): string | null {
  const reader = new Reader(value);
  const operator = readOperator(reader);
  if (!operator) return null;
  const operand = value.slice(reader.at);
  if (operator.name === "is") return value;
  if (operator.name !== "in") return written(operator, operand);
  const inner = /^\((.*)\)$/s.exec(operand)?.[1];
  if (inner === undefined) return null;
  return inner === "" ? value : list(operator, readItems(new Reader(inner), LAST_PLAIN));
}

/** Condition within a tree: a filter of a column, or a tree again. */
function readCondition(reader: Reader): string | null {
  const nested = reader.take(NESTED)?.[1];
  if (nested !== undefined) {
    const conditions = readConditions(reader);
    return conditions && `${nested}(${conditions.join(",")})`;
  }
  const column = reader.take(COLUMN)?.[1];
  const operator = column === undefined ? null : readOperator(reader);
  if (!operator) return null;
  if (operator.name === "is") {
    const word = reader.take(IS_WORD)?.[0];
    return word === undefined ? null : `${column}.${operator.negation}is.${word}`;
  }
  if (operator.name === "in") {
    if (!reader.take(/\(/y)) return null;
    if (reader.take(/\)/y)) return `${column}.${operator.negation}in.()`;
    const items = readItems(reader, PLAIN);
    return reader.take(/\)/y) && `${column}.${list(operator, items)}`;
  }
  const quoted = reader.take(QUOTED)?.[1];
  const operand =
    quoted === undefined ? (reader.take(BRACES) ?? reader.take(PLAIN))?.[0] : unescaped(quoted);
  return `${column}.${written(operator, operand ?? "")}`;
}

/** Conditions up to the bracket that closes them; null where they are not written as PostgREST has them. */
function readConditions(reader: Reader): string[] | null {
  const conditions: string[] = [];
  do {
    const condition = readCondition(reader);
    if (condition === null) return null;
    conditions.push(condition);
  } while (reader.take(BETWEEN));
  return reader.take(END) ? conditions : null;
}

function readTree(value: string): string[] | null {
  const reader = new Reader(value);
  const conditions = reader.take(/\s*\(\s*/y) && readConditions(reader);
  return conditions && reader.isDone() ? conditions : null;
}

/** Part of an address that says which rows: what it is about, by itself and within a resource, and its condition. */
type Filter = { path: string; key: string; value: string };

const LOGIC = /^(?:not\.)?(?:and|or)$/;

/** Whether a parameter of a call filters its rows; any other is an argument, as in PostgREST. */
export function isFilter(name: string, value: string): boolean {
  return LOGIC.test(name) || name.includes(".") || readFilter(value) !== null;
}

/** Parameter as the library takes it for what it means; null for one that stays as it is. */
function readParameter(name: string, value: string): Filter | Response | null {
  const [, path = "", key = ""] = NAMED.exec(name) ?? [];
  if (key === "" || NO_FILTER.test(name)) return null;
  if (LOGIC.test(key)) {
    const conditions = readTree(value);
    return conditions
      ? { path, key, value: `(${conditions.join(",")})` }
      : unreadable(`logic tree (${value})`, value.length + 2);
  }
  const [noWord] = NO_IS.exec(value) ?? [];
  if (noWord !== undefined) return unreadable(`filter (${value})`, noWord.length + 1);
  const filter = readFilter(value);
  return filter === null ? null : { path, key, value: filter };
}

/** The refusal of conditions, in the words of PostgREST: of two of one column the library sees others than the address has. */
function unreadable(what: string, column: number): Response {
  const message = `"failed to parse ${what}" (line 1, column ${column})`;
  return refusalResponse(400, { code: "PGRST100", message, details: message, hint: null });
}

/** Name of a parameter that puts conditions together, of what is asked for or of a resource within. */
const TREE = /(?:^|\.)(?:and|or)$/;

/**
 * Call by its address as a request with a body, which is read alone all the same. In an address the library takes conditions
 * that are put together for arguments.
 */
function withBody(url: URL, request: Request, given: readonly [string, string][]): Request {
  const names = grouped(given, ([name]) => name);
  const values = [...names].map(([name, texts]) => [name, texts.map(([, text]) => text)]);
  const headers = new Headers(request.headers);
  headers.set("content-type", "application/json");
  // The range of rows is asked for by a header of a read alone.
  const [, first, last] = /^(\d+)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
  if (first !== undefined) url.searchParams.set("offset", first);
  if (last) url.searchParams.set("limit", String(Number(last) - Number(first) + 1));
  const body = JSON.stringify(Object.fromEntries(values));
  return new Request(url, { method: "POST", headers, body });
}

/** Filters that all hold: of several of one name the library would keep the last, or take either for enough. */
function together(filters: readonly Filter[]): [string, string][] {
  const groups = grouped(filters, ({ path, key }) => path + (LOGIC.test(key) ? LOGIC.source : key));
  return [...groups.values()].map(([first, ...others]) => {
    if (!first) throw new Error("a group without filters");
    const { path, key, value } = first;
    if (others.length === 0) return [`${path}${key}`, value];
    const conditions = [first, ...others].map((each) =>
      LOGIC.test(each.key) ? `${each.key}${each.value}` : `${each.key}.${each.value}`,
    );
    return [`${path}and`, `(${conditions.join(",")})`];
  });
}

/**
 * Has a request answered with the filters that PostgREST would see in its address. The library makes numbers, truths and
 * null of texts, knows no escaped sign, and of two filters of one name keeps the last.
 */
export async function withFilters(
  request: Request,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const url = new URL(request.url);
  const isCall = FUNCTION.test(url.pathname) && request.method === "GET";
  const filters: Filter[] = [];
  const given: [string, string][] = [];
  const others: [string, string][] = [];
  for (const [name, value] of url.searchParams) {
    if (isCall && !NO_FILTER.test(name) && !isFilter(name, value)) {
      given.push([name, wordFor(value)]);
      continue;
    }
    const read = readParameter(name, value);
    if (read instanceof Response) return read;
    if (read) filters.push(read);
    else others.push([name, value]);
  }
  if (filters.length === 0 && !isCall) return answer(request);
  const read = together(filters);
  const search = sortedSearch(url.searchParams);
  const isTogether = isCall && read.some(([name]) => TREE.test(name));
  url.search = new URLSearchParams([...others, ...(isTogether ? [] : given), ...read]).toString();
  const response = isTogether
    ? await whileReading(() => answer(withBody(url, request, given)))
    : await answer(new Request(url, request));
  const location = response.headers.get("content-location");
  if (location === null) return response;
  const headers = new Headers(response.headers);
  headers.set("content-location", `${location.split("?")[0]}?${search}`);
  return new Response(response.body, { status: response.status, headers });
}
