import { answer } from "./answers.ts";
import type { VisibleSchema } from "./visible-schema.ts";

/** Types of media in which the description is asked for. */
const OPENAPI = "application/openapi+json";

/** The version of PostgREST whose documentation the data API follows. */
const VERSION = "14.1";

type Json = Readonly<Record<string, unknown>>;
type Table = VisibleSchema["tables"][number];
type Routine = VisibleSchema["functions"][number];

const JSON_TYPES: Readonly<Record<string, string>> = {
  boolean: "boolean",
  smallint: "integer",
  integer: "integer",
  bigint: "integer",
  real: "number",
  "double precision": "number",
  numeric: "number",
};

/** A type of PostgreSQL as a schema of JSON; JSON itself is anything. */
function typeSchema(type: string): Json {
  if (type.endsWith("[]"))
    return { type: "array", items: typeSchema(type.slice(0, -2)), format: type };
  if (type === "json" || type === "jsonb") return { format: type };
  return { type: JSON_TYPES[type.replace(/\(.*\)/, "")] ?? "string", format: type };
}

function columnSchema({ type, isKey, refersTo, values }: Table["columns"][number]): Json {
  const [table, column] = refersTo?.split(".") ?? [];
  const notes = [
    isKey && "This is a Primary Key.<pk/>",
    refersTo &&
      `This is a Foreign Key to \`${refersTo}\`.<fk table='${table}' column='${column}'/>`,
  ].filter((note) => typeof note === "string" && note !== "");
  const length = /^character varying\((\d+)\)$/.exec(type)?.[1];
  return {
    ...typeSchema(type),
    ...(notes.length > 0 && { description: `Note:\n${notes.join("\n")}` }),
    ...(length && { maxLength: Number(length) }),
    ...(values && { enum: values }),
  };
}

const query = (name: string, description: string): Json => ({
  name,
  description,
  in: "query",
  required: false,
  type: "string",
});

const header = (name: string, description: string, values?: readonly string[]): Json => ({
  name,
  description,
  in: "header",
  required: false,
  type: "string",
  ...(values && { enum: values }),
});

const RETURNS = ["return=representation", "return=minimal", "return=none"];

/** Parameters that requests of every table take. */
const COMMON: Readonly<Record<string, Json>> = {
  select: query("select", "Filtering Columns"),
  order: query("order", "Ordering"),
  offset: query("offset", "Limiting and Pagination"),
  limit: query("limit", "Limiting and Pagination"),
  on_conflict: query("on_conflict", "On Conflict"),
  range: header("Range", "Limiting and Pagination"),
  rangeUnit: header("Range-Unit", "Limiting and Pagination"),
  preferCount: header("Prefer", "Preference", ["count=exact"]),
  preferReturn: header("Prefer", "Preference", RETURNS),
  preferPost: header("Prefer", "Preference", [
    ...RETURNS,
    "resolution=ignore-duplicates",
    "resolution=merge-duplicates",
  ]),
};

const parameter = (name: string): Json => ({ $ref: `#/parameters/${name}` });
const OK: Json = { description: "OK" };
const NO_CONTENT: Json = { "204": { description: "No Content" } };

/** The requests that a table takes from who asks. */
function tablePath({ name, columns, ...may }: Table): Json {
  const filters = columns.map((column) => parameter(`rowFilter.${name}.${column.name}`));
  const shared = { tags: [name] };
  const body = parameter(`body.${name}`);
  const list = { type: "array", items: { $ref: `#/definitions/${name}` } };
  const paging = ["select", "order", "range", "rangeUnit", "offset", "limit", "preferCount"];
  return {
    ...(may.isRead && {
      get: {
        ...shared,
        parameters: [...filters, ...paging.map(parameter)],
        responses: { "200": { ...OK, schema: list }, "206": { description: "Partial Content" } },
      },
    }),
    ...(may.isAdded && {
      post: {
        ...shared,
        parameters: [body, parameter("select"), parameter("on_conflict"), parameter("preferPost")],
        responses: { "201": { description: "Created" } },
      },
    }),
    ...(may.isRemoved && {
      delete: {
        ...shared,
        parameters: [...filters, parameter("preferReturn")],
        responses: NO_CONTENT,
      },
    }),
    ...(may.isChanged && {
      patch: {
        ...shared,
        parameters: [...filters, body, parameter("preferReturn")],
        responses: NO_CONTENT,
      },
    }),
  };
}

/** The calls that a function takes: by POST, and by GET where it changes nothing. */
function functionPath({ name, isVolatile, takes }: Routine): Json {
  const shared = { tags: [`(rpc) ${name}`], responses: { "200": OK } };
  const named = takes.filter((argument) => argument.name !== "");
  const required = named.filter(({ isRequired }) => isRequired);
  const properties = named.map((argument) => [argument.name, typeSchema(argument.type)]);
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required: required.map((argument) => argument.name) }),
  };
  const args = { name: "args", in: "body", required: required.length > 0, schema };
  const parameters = named.map(({ name: argument, type, isRequired }) => ({
    type: "string",
    ...typeSchema(type),
    name: argument,
    in: "query",
    required: isRequired,
  }));
  return {
    ...(!isVolatile && { get: { ...shared, parameters } }),
    post: { ...shared, parameters: [args] },
  };
}

const ROOT: Json = {
  get: {
    tags: ["Introspection"],
    summary: "OpenAPI description (this document)",
    produces: [OPENAPI, "application/json"],
    responses: { "200": OK },
  },
};

/** The description of a schema, in OpenAPI 2.0 as PostgREST gives it. */
function describe({ tables, functions }: VisibleSchema): Json {
  const types = ["application/json", "application/vnd.pgrst.object+json", "text/csv"];
  const definitions = tables.map(({ name, columns }) => {
    const required = columns.filter(({ isRequired }) => isRequired).map((column) => column.name);
    const properties = columns.map((column) => [column.name, columnSchema(column)]);
    return [
      name,
      {
        type: "object",
        ...(required.length > 0 && { required }),
        properties: Object.fromEntries(properties),
      },
    ];
  });
  const bodies = tables.map(({ name }) => [
    `body.${name}`,
    {
      name,
      in: "body",
      required: false,
      schema: { $ref: `#/definitions/${name}` },
    },
  ]);
  const filters = tables.flatMap(({ name, columns }) =>
    columns.map((column) => [
      `rowFilter.${name}.${column.name}`,
      { name: column.name, in: "query", required: false, type: "string" },
    ]),
  );
  return {
    swagger: "2.0",
    info: { title: "standard public schema", description: "", version: VERSION },
    basePath: "/rest/v1",
    consumes: types,
    produces: types,
    paths: {
      "/": ROOT,
      ...Object.fromEntries(tables.map((table) => [`/${table.name}`, tablePath(table)])),
      ...Object.fromEntries(functions.map((each) => [`/rpc/${each.name}`, functionPath(each)])),
    },
    definitions: Object.fromEntries(definitions),
    parameters: { ...COMMON, ...Object.fromEntries([...bodies, ...filters]) },
    externalDocs: {
      description: "PostgREST Documentation",
      url: "https://postgrest.org/en/v14/references/api.html",
    },
  };
}

/** The answer to who asks what there is. */
export function descriptionAnswer(schema: VisibleSchema): Response {
  return answer(200, JSON.stringify(describe(schema)), {
    "content-type": `${OPENAPI}; charset=utf-8`,
  });
}
