import * as z from "zod/mini";
import type { RolePermission } from "../rules/permissions.ts";

/** How every key of the API begins: programs and scanners for leaked keys recognise it by this. */
export const API_KEY_START = "tv_live_";

/** Requests that a key may make in a minute; SQL says the same (`begin_api_request`), and a test compares the two. */
export const API_REQUESTS_PER_MINUTE = 600;

/** Most keys of one organisation; SQL says the same (`create_api_key`), and a test compares the two. */
export const MAX_API_KEYS = 20;

/** Longest name of a key; SQL says the same. */
export const API_KEY_NAME_MAX_LENGTH = 80;

/** How long the token holds that a key is exchanged for, in seconds. */
export const API_TOKEN_S = 600;

/** Scopes of a key: reading the organisation's rows, or using codes at the till. */
export const API_SCOPES = ["read", "redeem"] as const;
const scope = z.enum(API_SCOPES);
export type ApiScope = z.infer<typeof scope>;

/** Permissions that a key of each scope asks of whoever makes it; SQL says the same (`require_delegation`), and a test compares the two. */
export const API_SCOPE_PERMISSIONS = {
  read: [
    "stores.read",
    "campaigns.read",
    "rewards.read",
    "customers.read",
    "codes.read",
    "activity.read",
  ],
  redeem: ["codes.redeem"],
} as const satisfies Record<ApiScope, readonly RolePermission[]>;

const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  scope,
  /** How the key begins. */
  prefix: z.string(),
  created_at: z.string(),
  /** Name of who made it; null once that account is gone. */
  created_by: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  is_expired: z.boolean(),
  /** To the hour; null of a key that was never used. */
  last_used_at: z.nullable(z.string()),
  /** The only store whose till it serves; null for all. */
  store: z.nullable(z.object({ id: z.uuid(), name: z.string() })),
});

export type ApiKey = z.infer<typeof apiKey>;

/** Answer of the SQL function `api_keys`. */
export const apiKeys = z.object({
  /** Whether the plan includes the API and is not over. */
  is_included: z.boolean(),
  keys: z.array(apiKey),
});

export type ApiKeys = z.infer<typeof apiKeys>;

/** Answer of the SQL function `create_api_key`: the key itself is in no other answer. */
export const newApiKey = z.object({ id: z.uuid(), name: z.string(), key: z.string() });
export type NewApiKey = z.infer<typeof newApiKey>;

/** Answer of the server function `api-token`. */
export const apiToken = z.object({
  access_token: z.string(),
  token_type: z.literal("bearer"),
  /** Seconds. */
  expires_in: z.number(),
});
