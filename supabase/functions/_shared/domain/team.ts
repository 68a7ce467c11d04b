import * as z from "zod/mini";

/** What the sentence about an entry of the trail may mention; each action has its own of these. */
const auditDetail = z.object({
  name: z.optional(z.nullable(z.string())),
  former_name: z.optional(z.nullable(z.string())),
  /** Columns that were changed. */
  fields: z.optional(z.array(z.string())),
  role: z.optional(z.string()),
  former_role: z.optional(z.string()),
});

/** One thing that somebody did. */
const auditEvent = z.object({
  id: z.uuid(),
  at: z.string(),
  /** Name at the time; null of somebody without one, and of the platform. */
  by: z.nullable(z.string()),
  is_platform: z.boolean(),
  /** As subject.verb: store.archived, member.removed … */
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.nullable(z.uuid()),
  detail: auditDetail,
});

/** Answer of the SQL function `audit_trail`. */
export const auditTrail = z.object({
  /** Whoever did something, and which actions there are: what to filter by. */
  people: z.array(z.object({ id: z.uuid(), name: z.nullable(z.string()) })),
  actions: z.array(z.string()),
  has_next: z.boolean(),
  items: z.array(auditEvent),
});
export type AuditTrail = z.infer<typeof auditTrail>;
