import * as z from "zod/mini";

const state = z.enum(["operational", "degraded", "down", "unknown"]);
export type ServiceState = z.infer<typeof state>;

/** Parts of the service, in the order in which the page shows them. */
export const SERVICE_PARTS = ["pages", "api", "database", "mail", "jobs"] as const;

/** Answer of `status`: the service's state from within; it names no person and no merchant. */
export const serviceStatus = z.object({
  state,
  checked_at: z.string(),
  parts: z.array(
    z.object({
      name: z.enum(SERVICE_PARTS),
      state,
      /** How long the oldest message that could leave has waited (`mail`), in seconds. */
      waiting_s: z.optional(z.number()),
      /** When a job last ran (`jobs`). */
      last_run_at: z.optional(z.nullable(z.string())),
    }),
  ),
});
export type ServiceStatus = z.infer<typeof serviceStatus>;
