import type { Sql } from "postgres";
import * as z from "zod";
import { errorBody } from "#domain/errors/errors.ts";
import { apiCopy } from "#domain/schemas/api-description.copy.ts";
import { API_REQUESTS_PER_MINUTE, apiToken } from "#domain/schemas/api-keys.ts";
import { codeLookup, redeemRequest, redeemResponse } from "#domain/schemas/journey.ts";

/** Where the description of the API is checked in; the site serves it as `/openapi.json`. */
export const API_FILE = new URL("../../web/public/openapi.json", import.meta.url);

type Column = { table: string; name: string; type: string; isNullable: boolean };
type Json = Record<string, unknown>;

/** JSON type of a type of PostgreSQL. */
const JSON_TYPES: Readonly<Record<string, Json>> = {
  boolean: { type: "boolean" },
  integer: { type: "integer" },
  smallint: { type: "integer" },
  bigint: { type: "integer", format: "int64" },
  numeric: { type: "number" },
  uuid: { type: "string", format: "uuid" },
  date: { type: "string", format: "date" },
  "timestamp with time zone": { type: "string", format: "date-time" },
  jsonb: {},
  "text[]": { type: "array", items: { type: "string" } },
};

/** Columns of the tables that the API opens, in their order. */
function readColumns(sql: Sql): Promise<Column[]> {
  return sql<Column[]>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
      not a.attnotnull as "isNullable"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relname = any (${Object.keys(apiCopy.tables)})
    order by c.relname, a.attnum`;
}

function schemaOf(columns: readonly Column[]): Json {
  const properties = columns.map(({ name, type, isNullable }) => {
    const plain = JSON_TYPES[type] ?? { type: "string" };
    const whole = isNullable && plain.type ? { ...plain, type: [plain.type, "null"] } : plain;
    return [name, whole] as const;
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: columns.map(({ name }) => name),
  };
}

/** A schema of ours, as it goes over the wire. */
function wire(schema: z.core.$ZodType): Json {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: "input" });
  return plain;
}

const json = (schema: Json) => ({ "application/json": { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answer = (description: string, schema: Json) => ({ description, content: json(schema) });

const REFUSALS = Object.fromEntries(
  (["401", "402", "403", "429"] as const).map((status) => [
    status,
    { description: apiCopy.refusals[status] },
  ]),
);

function query(name: string, description: string, schema: Json = { type: "string" }): Json {
  return { name, in: "query", required: false, description, schema };
}

const READING = [
  query("select", apiCopy.parameters.select),
  query("order", apiCopy.parameters.order),
  query("limit", apiCopy.parameters.limit, { type: "integer", minimum: 0, maximum: 1000 }),
  query("offset", apiCopy.parameters.offset, { type: "integer", minimum: 0 }),
];

function tablePath(table: string, summary: string, columns: readonly Column[]): Json {
  const filters = columns.map(({ name }) => query(name, apiCopy.parameters.filter));
  return {
    get: {
      operationId: `read_${table}`,
      tags: [apiCopy.tags.read],
      summary,
      parameters: [...READING, ...filters],
      responses: {
        200: answer(apiCopy.answers.rows, { type: "array", items: ref(table) }),
        ...REFUSALS,
      },
    },
  };
}

function call(
  operation: { id: string; tag: string; summary: string },
  body: Json | null,
  ok: Json,
): Json {
  return {
    post: {
      operationId: operation.id,
      tags: [operation.tag],
      summary: operation.summary,
      ...(body && { requestBody: { required: true, content: json(body) } }),
      responses: { 200: answer(apiCopy.answers.done, ok), ...REFUSALS },
    },
  };
}

/** The OpenAPI description, made from the catalog and from the schemas that the functions parse with. */
export async function apiDescription(sql: Sql): Promise<string> {
  const columns = await readColumns(sql);
  const tables = Object.entries(apiCopy.tables).map(([table, summary]) => ({
    table,
    summary,
    columns: columns.filter((column) => column.table === table),
  }));
  const document = {
    openapi: "3.1.0",
    info: {
      title: apiCopy.title,
      version: "1",
      description: apiCopy.description(API_REQUESTS_PER_MINUTE),
    },
    servers: [{ url: "/" }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: Object.values(apiCopy.tags).map((name) => ({ name })),
    paths: {
      ...Object.fromEntries(
        tables.map(({ table, summary, columns: own }) => [
          `/rest/v1/${table}`,
          tablePath(table, summary, own),
        ]),
      ),
      "/rest/v1/rpc/lookup_code": call(
        { id: "lookup_code", tag: apiCopy.tags.redeem, summary: apiCopy.lookup },
        {
          type: "object",
          properties: {
            p_code: { type: "string", maxLength: 64 },
            p_store_id: { type: "string", format: "uuid" },
          },
          required: ["p_code", "p_store_id"],
        },
        ref("code_lookup"),
      ),
      "/functions/v1/redeem": call(
        { id: "redeem", tag: apiCopy.tags.redeem, summary: apiCopy.redeem },
        wire(redeemRequest),
        ref("redeemed"),
      ),
      "/functions/v1/api-token": call(
        { id: "api_token", tag: apiCopy.tags.token, summary: apiCopy.token },
        null,
        ref("token"),
      ),
    },
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "apikey" },
        bearer: { type: "http", scheme: "bearer" },
      },
      schemas: {
        ...Object.fromEntries(tables.map(({ table, columns: own }) => [table, schemaOf(own)])),
        code_lookup: wire(codeLookup),
        redeemed: wire(redeemResponse),
        token: wire(apiToken),
        error: wire(errorBody),
      },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
