import { expect, it } from "vitest";
import { descriptionAnswer } from "./openapi.ts";
import type { VisibleSchema } from "./visible-schema.ts";

const column = (name: string, type: string, more: object = {}) => ({
  name,
  type,
  isRequired: false,
  isKey: false,
  refersTo: null,
  values: null,
  ...more,
});

const SCHEMA: VisibleSchema = {
  tables: [
    {
      name: "jars",
      isRead: true,
      isAdded: true,
      isChanged: true,
      isRemoved: true,
      columns: [
        column("id", "integer", { isKey: true, isRequired: true }),
        column("shelf_id", "uuid", { refersTo: "shelves.id" }),
        column("label", "character varying(40)", { isRequired: true }),
        column("colour", "colour", { values: ["red", "blue"] }),
        column("price", "numeric(10,2)"),
        column("tags", "text[]"),
        column("document", "jsonb"),
      ],
    },
    {
      name: "shelves",
      isRead: true,
      isAdded: false,
      isChanged: false,
      isRemoved: false,
      columns: [column("id", "uuid")],
    },
  ],
  functions: [
    {
      name: "count_jars",
      isVolatile: false,
      takes: [
        { name: "p_shelf", type: "uuid", isRequired: true },
        { name: "p_full", type: "boolean", isRequired: false },
        { name: "", type: "integer", isRequired: true },
      ],
    },
    { name: "tidy", isVolatile: true, takes: [] },
  ],
};

const reference = (name: string) => ({ $ref: `#/parameters/${name}` });
const filtersOfJars = SCHEMA.tables[0]?.columns.map(({ name }) =>
  reference(`rowFilter.jars.${name}`),
);
const PAGING = ["select", "order", "range", "rangeUnit", "offset", "limit", "preferCount"];
const NO_CONTENT = { "204": { description: "No Content" } };
const RETURNS = ["return=representation", "return=minimal", "return=none"];
const OK = { "200": { description: "OK" } };

it("describes tables, functions and what they take in the form of PostgREST", async () => {
  const response = descriptionAnswer(SCHEMA);
  expect(response.headers.get("content-type")).toBe("application/openapi+json; charset=utf-8");
  const document = await response.json();
  expect(document).toMatchObject({
    swagger: "2.0",
    basePath: "/rest/v1",
    consumes: ["application/json", "application/vnd.pgrst.object+json", "text/csv"],
    produces: ["application/json", "application/vnd.pgrst.object+json", "text/csv"],
  });
  expect(document.paths).toEqual({
    "/": {
      get: {
        tags: ["Introspection"],
        summary: "OpenAPI description (this document)",
        produces: ["application/openapi+json", "application/json"],
        responses: OK,
      },
    },
    "/jars": {
      get: {
        tags: ["jars"],
        parameters: [...(filtersOfJars ?? []), ...PAGING.map(reference)],
        responses: {
          "200": {
            description: "OK",
            schema: { type: "array", items: { $ref: "#/definitions/jars" } },
          },
          "206": { description: "Partial Content" },
        },
      },
      post: {
        tags: ["jars"],
        parameters: ["body.jars", "select", "on_conflict", "preferPost"].map(reference),
        responses: { "201": { description: "Created" } },
      },
      delete: {
        tags: ["jars"],
        parameters: [...(filtersOfJars ?? []), reference("preferReturn")],
        responses: NO_CONTENT,
      },
      patch: {
        tags: ["jars"],
        parameters: [...(filtersOfJars ?? []), reference("body.jars"), reference("preferReturn")],
        responses: NO_CONTENT,
      },
    },
    "/shelves": {
      get: {
        tags: ["shelves"],
        parameters: [reference("rowFilter.shelves.id"), ...PAGING.map(reference)],
        responses: {
          "200": {
            description: "OK",
            schema: { type: "array", items: { $ref: "#/definitions/shelves" } },
          },
          "206": { description: "Partial Content" },
        },
      },
    },
    "/rpc/count_jars": {
      get: {
        tags: ["(rpc) count_jars"],
        responses: OK,
        parameters: [
          { name: "p_shelf", in: "query", required: true, type: "string", format: "uuid" },
          { name: "p_full", in: "query", required: false, type: "boolean", format: "boolean" },
        ],
      },
      post: {
        tags: ["(rpc) count_jars"],
        responses: OK,
        parameters: [
          {
            name: "args",
            in: "body",
            required: true,
            schema: {
              type: "object",
              required: ["p_shelf"],
              properties: {
                p_shelf: { type: "string", format: "uuid" },
                p_full: { type: "boolean", format: "boolean" },
              },
            },
          },
        ],
      },
    },
    "/rpc/tidy": {
      post: {
        tags: ["(rpc) tidy"],
        responses: OK,
        parameters: [
          { name: "args", in: "body", required: false, schema: { type: "object", properties: {} } },
        ],
      },
    },
  });
  expect(document.definitions).toEqual({
    jars: {
      type: "object",
      required: ["id", "label"],
      properties: {
        id: {
          type: "integer",
          format: "integer",
          description: "Note:\nThis is a Primary Key.<pk/>",
        },
        shelf_id: {
          type: "string",
          format: "uuid",
          description:
            "Note:\nThis is a Foreign Key to `shelves.id`.<fk table='shelves' column='id'/>",
        },
        label: { type: "string", format: "character varying(40)", maxLength: 40 },
        colour: { type: "string", format: "colour", enum: ["red", "blue"] },
        price: { type: "number", format: "numeric(10,2)" },
        tags: { type: "array", items: { type: "string", format: "text" }, format: "text[]" },
        document: { format: "jsonb" },
      },
    },
    shelves: { type: "object", properties: { id: { type: "string", format: "uuid" } } },
  });
  const { parameters } = document;
  expect(parameters["body.jars"]).toEqual({
    name: "jars",
    in: "body",
    required: false,
    schema: { $ref: "#/definitions/jars" },
  });
  expect(parameters["rowFilter.jars.label"]).toEqual({
    name: "label",
    in: "query",
    required: false,
    type: "string",
  });
  expect(parameters.select).toMatchObject({ name: "select", in: "query", type: "string" });
  expect(parameters.range).toMatchObject({ name: "Range", in: "header", type: "string" });
  expect(parameters.preferCount.enum).toEqual(["count=exact"]);
  expect(parameters.preferReturn.enum).toEqual(RETURNS);
  expect(parameters.preferPost.enum).toEqual([
    ...RETURNS,
    "resolution=ignore-duplicates",
    "resolution=merge-duplicates",
  ]);
});
