import { arrayLiteral } from "../supabase-lite/literals.ts";

/** Comparison of a column with a value. */
export type Filter = {
  column: string;
  operator: string;
  isNegated: boolean;
  /** The operand as the address writes it, or a list of them. */
  value: string;
};

/** Direction of an order, in SQL. */
type Order = { column: string; direction: string };

/** Parts of a query in the address of a table. */
export type Query = {
  /** Columns by the names of the answer; null for all of them. */
  select: readonly { column: string; name: string }[] | null;
  /** Columns that rows to be added have, whatever else they name; null for all that they name. */
  columns: readonly string[] | null;
  /** Columns of the conflict target of an upsert; null for those of the primary key. */
  conflict: readonly string[] | null;
  filters: readonly Filter[];
  order: readonly Order[];
  limit: number | null;
  offset: number;
};

/** A column's name without anything that has a meaning in an address. */
const NAME = "[a-z_][a-z0-9_]*";

const SELECTED = new RegExp(`^(?:(${NAME}):)?(${NAME})$`);
const COLUMN = new RegExp(`^${NAME}$`);
const ORDERED = new RegExp(`^(${NAME})(\\.asc|\\.desc)?(\\.nullsfirst|\\.nullslast)?$`);
const FILTERED = /^(not\.)?(eq|neq|gt|gte|lt|lte|like|ilike|is|in)\.(.*)$/s;
const WHOLE = /^\d{1,9}$/;

/** Plain item of a list; quotation marks and brackets begin any other. */
const ITEM = /^[^"(){}\\,]+$/;

/** Parameters of an address that mean more than a filter. */
const LEFT_TO_LIBRARY = new Set(["and", "or"]);

/**
 * Reads the part of PostgREST's grammar that is plain: columns, renamed ones, filters of one column, order, limit and
 * offset. Null for everything else, be it wrong or only more than that: the library has the whole grammar.
 */
export function readQuery(search: URLSearchParams): Query | null {
  const filters: Filter[] = [];
  const seen = new Set<string>();
  let select: Query["select"] = null;
  let columns: Query["columns"] = null;
  let conflict: Query["conflict"] = null;
  let order: readonly Order[] = [];
  let limit: number | null = null;
  let offset = 0;
  for (const [name, value] of search) {
    if (LEFT_TO_LIBRARY.has(name)) return null;
    if (["select", "columns", "on_conflict", "order", "limit", "offset"].includes(name)) {
      if (seen.has(name)) return null;
      seen.add(name);
    }
    if (name === "select") {
      const read = readSelect(value);
      if (read === undefined) return null;
      select = read;
    } else if (name === "columns") {
      columns = value.split(",").map((column) => column.replace(/^"(.*)"$/, "$1"));
      if (!columns.every((column) => COLUMN.test(column))) return null;
    } else if (name === "on_conflict") {
      conflict = value.split(",");
      if (!conflict.every((column) => COLUMN.test(column))) return null;
    } else if (name === "order") {
      const read = readOrder(value);
      if (!read) return null;
      order = read;
    } else if (name === "limit" || name === "offset") {
      if (!WHOLE.test(value)) return null;
      if (name === "limit") limit = Number(value);
      else offset = Number(value);
    } else {
      const filter = readFilter(name, value);
      if (!filter) return null;
      filters.push(filter);
    }
  }
  return { select, columns, conflict, filters, order, limit, offset };
}

/** Undefined for what is not plain. */
function readSelect(text: string): Query["select"] | undefined {
  if (text === "*") return null;
  const columns = text.split(",").map((part) => {
    const [, alias, column] = SELECTED.exec(part.trim()) ?? [];
    return column === undefined ? null : { column, name: alias ?? column };
  });
  const known = columns.filter((column) => column !== null);
  const names = new Set(known.map(({ name }) => name));
  return names.size === columns.length ? known : undefined;
}

function readOrder(text: string): readonly Order[] | null {
  const parts = text.split(",").map((part) => {
    const [, column, direction = ".asc", nulls] = ORDERED.exec(part) ?? [];
    if (column === undefined) return null;
    const place =
      nulls === undefined ? "" : nulls === ".nullsfirst" ? " nulls first" : " nulls last";
    return { column, direction: `${direction.slice(1)}${place}` };
  });
  const known = parts.filter((part) => part !== null);
  const columns = new Set(known.map(({ column }) => column));
  return columns.size === parts.length ? known : null;
}

function readFilter(column: string, text: string): Filter | null {
  const [, negation, operator, value] = FILTERED.exec(text) ?? [];
  if (!COLUMN.test(column) || operator === undefined || value === undefined) return null;
  const filter = { column, operator, isNegated: negation !== undefined };
  if (operator === "is") return { ...filter, value };
  if (operator !== "in") return { ...filter, value };
  const items = /^\((.+)\)$/.exec(value)?.[1]?.split(",") ?? [];
  const isPlain = items.length > 0 && items.every((item) => ITEM.test(item));
  return isPlain ? { ...filter, value: arrayLiteral(items) } : null;
}
