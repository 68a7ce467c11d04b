import type { Mutant } from "./mutant.ts";

/** A piece of SQL with its place in the text. Blanks and comments do not count. */
type Token = {
  kind: "word" | "string" | "number" | "dollar" | "operator" | "mark";
  /** Its text; words in lower case. */
  text: string;
  start: number;
  end: number;
};

const PIECE =
  /(?<skip>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>[eE]?'(?:[^']|'')*')|(?<dollar>\$[a-z_]*\$)|(?<number>\d+(?:\.\d+)?)|(?<word>[a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*)*|"[^"]+")|(?<operator>::|:=|=>|<=|>=|<>|!=|->>|->|#>>|@>|<@|\|\||<<|>>|&&|\^@|!~\*?|~\*?|[-<>=+*/%^|&#?@!])|(?<mark>[\s\S])/gy;

const KINDS = ["string", "dollar", "number", "word", "operator", "mark"] as const;

/** Cuts SQL into tokens; the body of a function, between its dollars, is cut like everything else. */
function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: text, index: start, groups = {} } of sql.matchAll(PIECE)) {
    const kind = KINDS.find((name) => groups[name] !== undefined);
    if (kind === undefined) continue;
    const end = start + text.length;
    tokens.push({ kind, text: kind === "word" ? text.toLowerCase() : text, start, end });
  }
  return tokens;
}

/** A range of the text and its replacement. */
type Change = { mutator: string; start: number; end: number; replacement: string };

/** Reads the tokens from a place on; answers the changes that begin there. */
type Mutator = (tokens: readonly Token[], at: number) => Omit<Change, "mutator">[];

const is = (token: Token | undefined, ...texts: string[]) =>
  token !== undefined && token.kind !== "string" && texts.includes(token.text);

const replaced = ({ start, end }: Token, replacement: string) => ({ start, end, replacement });

const OPENS = ["(", "[", "case"];
const CLOSES = [")", "]", "end"];

/** Tokens that end a condition at the same depth. */
const ENDS_CONDITION = [
  ...["and", "or", "then", "group", "order", "limit", "returning", "for", "union", "on", "loop"],
  ...["when", "else", "except", "intersect", "as", "window", "begin", "execute", "where"],
  ...[";", ",", ":="],
];

/** Index of the token after the condition that begins at a place. */
function endOfCondition(tokens: readonly Token[], from: number): number {
  let depth = 0;
  let bounds = 0;
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (is(token, ...OPENS)) depth += 1;
    else if (is(token, ...CLOSES)) depth -= 1;
    if (depth < 0 || token?.kind === "dollar") return at;
    if (depth > 0) continue;
    if (is(token, "between")) bounds += 1;
    else if (is(token, "and") && bounds > 0) bounds -= 1;
    else if (is(token, ...ENDS_CONDITION)) return at;
    else if (is(token, "from") && !is(tokens[at - 1], "distinct")) return at;
    else if (isJoin(tokens, at)) return at;
  }
  return tokens.length;
}

/** Whether another table is joined from a place on; `left` is a function, too. */
const isJoin = (tokens: readonly Token[], at: number) =>
  is(tokens[at], "join") ||
  (is(tokens[at], "left", "right", "full", "inner", "cross") &&
    is(tokens[at + 1], "join", "outer"));

/** Whether the `and` at a place belongs to the `between` before it. */
function isBound(tokens: readonly Token[], at: number): boolean {
  let depth = 0;
  for (let back = at - 1; back >= 0; back -= 1) {
    const token = tokens[back];
    if (is(token, ...CLOSES)) depth += 1;
    else if (is(token, ...OPENS)) depth -= 1;
    if (depth < 0 || is(token, "and", "or", "where", "if", "when", ";", ",")) return false;
    if (depth === 0 && is(token, "between")) return true;
  }
  return false;
}

const CONDITIONS = ["where", "having", "if", "elsif", "when", "while", "and", "or"];

/** Whether a join's condition, or the columns that a conflict is about, begin after a place. */
const isOn = (tokens: readonly Token[], at: number) =>
  is(tokens[at], "on") && !is(tokens[at + 1], "conflict", "delete", "update");

/** A condition that no longer asks anything: what it is joined to decides alone. */
const droppedCondition: Mutator = (tokens, at) => {
  const word = tokens[at];
  const isCondition = is(word, ...CONDITIONS) || isOn(tokens, at);
  if (!isCondition || is(tokens[at - 1], "end")) return [];
  if (is(word, "and") && isBound(tokens, at)) return [];
  const end = endOfCondition(tokens, at + 1);
  const [first, last] = [tokens[at + 1], tokens[end - 1]];
  if (first === undefined || last === undefined || end <= at + 1) return [];
  const neutral = neutralFor(tokens, at, end);
  if (end === at + 2 && is(first, "true", "false")) return [];
  return [{ start: first.start, end: last.end, replacement: neutral }];
};

function neutralFor(tokens: readonly Token[], at: number, end: number): "true" | "false" {
  const word = tokens[at];
  if (is(word, "and") || is(tokens[end], "and")) return "true";
  if (is(word, "or") || is(tokens[end], "or")) return "false";
  // Without its exit a loop would never end.
  const isExit = is(word, "when") && is(tokens[at - 1], "exit");
  return is(word, "where", "having", "on") || isExit ? "true" : "false";
}

const NEIGHBOURS: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const DURATION = /^'(\d+) ((?:second|minute|hour|day|week|month|year)s?)'$/;
const LIMITS = /^'\{\d+(,\d+)*\}'$/;

/** One more, or twice as many where one more is no fault that anybody would notice. */
function moved(number: string): string {
  const value = Number(number);
  return String(value > 100 ? value * 2 : value + 1);
}

/** A comparison that takes its bound in or leaves it out; a number, a duration or a limit that is another. */
const movedBound: Mutator = (tokens, at) => {
  const token = tokens[at];
  if (token === undefined) return [];
  const neighbour = token.kind === "operator" ? NEIGHBOURS[token.text] : undefined;
  if (neighbour !== undefined) return [replaced(token, neighbour)];
  if (token.kind === "number" && /^\d+$/.test(token.text)) {
    if (isUnread(tokens, at)) return [];
    return [replaced(token, moved(token.text))];
  }
  const [, count, unit] = (token.kind === "string" && DURATION.exec(token.text)) || [];
  if (count !== undefined) return [replaced(token, `'${moved(count)} ${unit}'`)];
  if (token.kind === "string" && LIMITS.test(token.text)) {
    return [replaced(token, token.text.replace(/\d+/g, moved))];
  }
  return [];
};

/** Whether a number says nothing: what a query answers that is asked for rows alone, and the room of a lock's names. */
function isUnread(tokens: readonly Token[], at: number): boolean {
  if (is(tokens[at - 1], "select", "perform") && is(tokens[at + 1], "from")) return true;
  const opening = openingOf(tokens, at);
  return is(tokens[opening - 1], "hashtextextended", "pg_catalog.hashtextextended");
}

const LOCKS = /^(pg_catalog\.)?pg_(try_)?advisory_xact_lock(_shared)?$/;

/** A row, a table or a name that is no longer locked. */
const removedLock: Mutator = (tokens, at) => {
  const token = tokens[at];
  if (token === undefined) return [];
  if (is(token, "for") && is(tokens[at + 1], "update", "share", "no", "key")) {
    let end = at + 1;
    while (is(tokens[end], "update", "share", "no", "key", "of", "skip", "locked", "nowait")) {
      end += is(tokens[end], "of") ? 2 : 1;
    }
    const last = tokens[end - 1] ?? token;
    return [{ start: token.start, end: last.end, replacement: "" }];
  }
  if (token.kind === "word" && LOCKS.test(token.text) && is(tokens[at + 1], "(")) {
    const closing = tokens[closingOf(tokens, at + 1)];
    return closing ? [{ start: token.start, end: closing.end, replacement: "null::text" }] : [];
  }
  return [];
};

/** Index of the bracket around a place; -1 outside of any. */
function openingOf(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from - 1; at >= 0; at -= 1) {
    if (is(tokens[at], ...CLOSES)) depth += 1;
    else if (is(tokens[at], ...OPENS)) depth -= 1;
    if (depth < 0) return at;
  }
  return -1;
}

function closingOf(tokens: readonly Token[], opening: number): number {
  let depth = 0;
  for (let at = opening; at < tokens.length; at += 1) {
    if (is(tokens[at], ...OPENS)) depth += 1;
    else if (is(tokens[at], ...CLOSES)) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

const PERMISSION = /^'[a-z_]+\.(read|manage|write|edit|create|export|redeem|undo)'$/;
const OTHER_PERMISSIONS = ["'stores.read'", "'billing.manage'"];
const OTHER_ROLES: Record<string, string> = {
  authenticated: "anon",
  service_role: "authenticated",
  anon: "service_role",
};

/** Another permission that is asked for, another role that may call or that a function runs as. */
const otherRole: Mutator = (tokens, at) => {
  const token = tokens[at];
  if (token === undefined) return [];
  if (token.kind === "string" && PERMISSION.test(token.text)) {
    return [replaced(token, OTHER_PERMISSIONS.find((other) => other !== token.text) ?? "''")];
  }
  if (is(token, "definer") && is(tokens[at - 1], "security")) return [replaced(token, "invoker")];
  const role = token.kind === "word" ? OTHER_ROLES[token.text] : undefined;
  return role !== undefined && is(tokens[at - 1], "to", ",") ? [replaced(token, role)] : [];
};

const NO_COLUMNS = ["null", "true", "false", "default", "select", "distinct", "all", "not"];
const isColumn = (token: Token | undefined) =>
  token?.kind === "word" && !NO_COLUMNS.includes(token.text);
const STARTS_ITEM = ["(", ",", "select", "distinct", "values", "by", "returning"];

/** Whether a column is alone between two commas, or at an end of the list. */
const isItem = (tokens: readonly Token[], at: number) =>
  isColumn(tokens[at]) &&
  is(tokens[at - 1], ...STARTS_ITEM) &&
  is(tokens[at + 1], ",", ")", ";", "from", "into");

/** Whether the order of the list that a place lies in says anything: columns that are read by their name have none. */
function isOrdered(tokens: readonly Token[], at: number): boolean {
  let opening = at - 1;
  for (let depth = 0; opening >= 0; opening -= 1) {
    const token = tokens[opening];
    if (is(token, ...CLOSES)) depth += 1;
    else if (depth > 0 && is(token, ...OPENS)) depth -= 1;
    else if (depth === 0 && is(token, "(", "select", "by", "values", "returning")) break;
  }
  if (is(tokens[opening], "by")) return is(tokens[opening - 1], "order");
  if (is(tokens[opening - 1], "conflict")) return false;
  if (!is(tokens[opening], "select", "returning")) return true;
  const after = tokens.slice(opening).findIndex((token) => is(token, "into", "from", ";"));
  const into = opening + after;
  // A single target is a record, whose fields are read by their names.
  return after >= 0 && is(tokens[into], "into") && is(tokens[into + 2], ",");
}

/** Two columns of a list, or two values of an object, each in the other's place. */
const swappedColumn: Mutator = (tokens, at) => {
  const first = tokens[at];
  if (first === undefined || !isItem(tokens, at) || !is(tokens[at + 1], ",")) return [];
  if (!isOrdered(tokens, at)) return [];
  // Names alternate with the values of an object.
  const isNamed = tokens[at + 2]?.kind === "string" && is(tokens[at + 3], ",");
  const next = isNamed ? at + 4 : at + 2;
  const second = tokens[next];
  if (second === undefined || !isItem(tokens, next) || second.text === first.text) return [];
  const between = tokens.slice(at + 1, next);
  const middle = between.map(({ text }) => (text === "," ? ", " : text)).join("");
  const replacement = `${second.text}${middle}${first.text}`;
  return [{ start: first.start, end: second.end, replacement }];
};

/** The opposite of what is asked. */
const negation: Mutator = (tokens, at) => {
  const token = tokens[at];
  if (is(token, "is") && is(tokens[at + 1], "null", "not")) {
    const [, next, last] = tokens.slice(at, at + 3);
    if (token && is(next, "null")) return [replaced(next ?? token, "not null")];
    if (token && next && is(next, "not") && last) {
      return [{ start: next.start, end: last.end, replacement: last.text }];
    }
  }
  if (token && is(token, "not") && !is(tokens[at - 1], "is", "if") && !is(tokens[at + 1], "null")) {
    return [replaced(token, "")];
  }
  if (token && is(token, "true", "false"))
    return [replaced(token, token.text === "true" ? "false" : "true")];
  return [];
};

const OPPOSITES: Record<string, string> = {
  "+": "-",
  "-": "+",
  least: "greatest",
  greatest: "least",
  min: "max",
  max: "min",
  desc: "asc",
};

/** Sums that become differences, the smallest that becomes the largest, an order that is turned round. */
const oppositeOperation: Mutator = (tokens, at) => {
  const token = tokens[at];
  if (token === undefined || token.kind === "string") return [];
  const opposite = Object.hasOwn(OPPOSITES, token.text) ? OPPOSITES[token.text] : undefined;
  if (opposite === undefined) return [];
  if (token.kind === "operator") {
    const before = tokens[at - 1];
    const isBinary = is(before, ")", "]") || before?.kind === "number" || isColumn(before);
    return isBinary ? [replaced(token, opposite)] : [];
  }
  return token.text === "desc" || is(tokens[at + 1], "(") ? [replaced(token, opposite)] : [];
};

const MUTATORS: Record<string, Mutator> = {
  "dropped condition": droppedCondition,
  "moved bound": movedBound,
  "removed lock": removedLock,
  "other role": otherRole,
  "swapped column": swappedColumn,
  negation,
  "opposite operation": oppositeOperation,
};

/** A statement's tokens: its first one, the one after which mutants are planted, and its last one. */
type Stretch = { name: string; first: number; from: number; to: number };

/** Functions (from where their header says how they run) and the rights to call them. */
function stretches(tokens: readonly Token[]): Stretch[] {
  const found: Stretch[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const isFunction = is(tokens[at], "create") && is(tokens[at + 1], "function");
    const isGrant = is(tokens[at], "grant") && is(tokens[at + 1], "execute");
    if (!isFunction && !isGrant) continue;
    const name = tokens[at + (isFunction ? 2 : 4)]?.text ?? "";
    const start = tokens.findIndex(
      (token, index) => index > at && is(token, isGrant ? "to" : "language"),
    );
    const end = endOfStatement(tokens, start);
    found.push({ name, first: at, from: start, to: end });
    at = end;
  }
  return found;
}

function endOfStatement(tokens: readonly Token[], from: number): number {
  let isInBody = false;
  for (let at = from; at < tokens.length; at += 1) {
    if (tokens[at]?.kind === "dollar") isInBody = !isInBody;
    if (!isInBody && is(tokens[at], ";")) return at;
  }
  return tokens.length;
}

/** Statements that replace a database's statement by the changed one. */
function replacing(statement: string, changed: string): string {
  if (!/^grant\b/i.test(statement)) return changed.replace(/^create\b/i, "create or replace");
  return `${statement.replace(/^grant\b/i, "revoke").replace(/\bto\b/i, "from")};\n${changed}`;
}

/** Every mutant of a file of the schema: small faults in its functions, one at a time. */
export function sqlMutants(file: string, sql: string): Mutant[] {
  const tokens = tokenize(sql);
  return stretches(tokens).flatMap(({ name, first, from, to }) => {
    const statement = tokens.slice(0, to);
    const changes = statement.flatMap((_, at) => (at <= from ? [] : changesAt(statement, at)));
    const begin = tokens[first]?.start ?? 0;
    const end = tokens[to]?.start ?? sql.length;
    return changes.map(({ mutator, start, end: stop, replacement }) => ({
      file,
      line: sql.slice(0, start).split("\n").length,
      where: name,
      mutator,
      original: sql.slice(start, stop),
      replacement,
      plant: {
        statement: replacing(
          sql.slice(begin, end),
          sql.slice(begin, start) + replacement + sql.slice(stop, end),
        ),
      },
    }));
  });
}

function changesAt(tokens: readonly Token[], at: number): Change[] {
  return Object.entries(MUTATORS).flatMap(([mutator, read]) =>
    read(tokens, at).map((change) => ({ mutator, ...change })),
  );
}
