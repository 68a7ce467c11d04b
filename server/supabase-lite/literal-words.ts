import { sortedSearch } from "./sorted-search.ts";

/** Words that the library takes for null or a truth, also within spaces. */
const WORD = "\\s*(?:null|not_null|true|false|unknown)\\s*";

/** Operators behind which it does so, and PostgREST does not. */
const OPERATOR = "(?:eq|neq|gte?|lte?|i?match|cs|cd|ov)";

/** Words that are texts among the items of a list; within an array null stays null. */
const ITEM = new RegExp(`^${WORD}$`, "i");
const ARRAY_ITEM = new RegExp(`^(?!\\s*null\\s*$)${WORD}$`, "i");

const STRUCTURE = new RegExp(
  `^(?:not\\.)?(?:in\\.\\(|${OPERATOR}(?:\\((?:any|all)\\))?\\.\\{)`,
  "i",
);
const FILTER = new RegExp(`^((?:not\\.)?${OPERATOR}\\.)(${WORD})$`, "i");
const CONDITION = new RegExp(`^(.*\\.${OPERATOR}\\.)(${WORD})$`, "is");

/** Parts of a list, an array or a tree of conditions: texts in quotation marks, signs, and what is between them. */
const PART = /"(?:\\.|[^"\\])*"?|[(){}[\],]|[^"(){}[\],]+/gs;

/** Parameters of an address that are no filters. */
const NO_FILTER = new Set(["select", "columns", "on_conflict", "order", "limit", "offset"]);

/**
 * Has a request answered with quotation marks around the operands that the library would take for null or a truth,
 * whatever the column's type: in PostgREST such a word is a text behind every operator but `is`.
 */
export async function withLiteralWords(
  request: Request,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const url = new URL(request.url);
  const sent = [...url.searchParams];
  const read = sent.map(([name, value]) => [
    name,
    NO_FILTER.has(name) ? value : quoted(name, value),
  ]);
  if (read.every(([, value], index) => value === sent[index]?.[1])) return answer(request);
  const search = sortedSearch(url.searchParams);
  url.search = new URLSearchParams(read).toString();
  const response = await answer(new Request(url, request));
  const location = response.headers.get("content-location");
  if (location === null) return response;
  const headers = new Headers(response.headers);
  headers.set("content-location", `${location.split("?")[0]}?${search}`);
  return new Response(response.body, { status: response.status, headers });
}

function quoted(name: string, value: string): string {
  const isStructured = /(?:^|\.)(?:and|or)$/.test(name) || STRUCTURE.test(value);
  return isStructured ? quotedParts(value) : value.replace(FILTER, '$1"$2"');
}

function quotedParts(text: string): string {
  const parts = text.match(PART) ?? [];
  /** Of each bracket that is open, the items within it that are quoted; null where it holds conditions or JSON. */
  const open: (RegExp | null)[] = [];
  return parts
    .map((part, index) => {
      const before = parts[index - 1] ?? "";
      if (part === "(") open.push(before === "in." || before.endsWith(".in.") ? ITEM : null);
      else if (part === "{") open.push(ARRAY_ITEM);
      else if (part === "[") open.push(null);
      else if (/^[)}\]]$/.test(part)) open.pop();
      else if (!/^[),}]$/.test(parts[index + 1] ?? "")) return part;
      else if (!open.at(-1)) return part.replace(CONDITION, '$1"$2"');
      else if (open.at(-1)?.test(part) && /^[({,]$/.test(before)) return `"${part}"`;
      return part;
    })
    .join("");
}
