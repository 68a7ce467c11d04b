import * as z from "zod/mini";

/**
 * Details that the sentence about an entry of the trail may mention; each action has its own of
 * these.
 */
const auditDetail = z.object({
  name: z.optional(z.nullable(z.string())),
  former_name: z.optional(z.nullable(z.string())),
  /** Host of a link that was confirmed. */
  host: z.optional(z.string()),
  /** How many things it was done to at once. */
  count: z.optional(z.number()),
  /** Columns that were changed. */
  fields: z.optional(z.array(z.string())),
  role: z.optional(z.string()),
  former_role: z.optional(z.string()),
  plan: z.optional(z.string()),
  former_plan: z.optional(z.string()),
  billing: z.optional(z.string()),
  former_billing: z.optional(z.string()),
});

/** One recorded action. */
const auditEvent = z.object({
  id: z.uuid(),
  at: z.string(),
  /** Name at the time; null of a person without one, and of the platform. */
  by: z.nullable(z.string()),
  is_platform: z.boolean(),
  /** As subject.verb: store.archived, member.removed … */
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.nullable(z.uuid()),
  detail: auditDetail,
});
export type AuditEvent = z.infer<typeof auditEvent>;

/** Answer of the SQL function `audit_trail`. */
export const auditTrail = z.object({
  /** Filters of the trail: the people who did something, and the kinds of actions. */
  people: z.array(z.object({ id: z.uuid(), name: z.nullable(z.string()) })),
  actions: z.array(z.string()),
  has_next: z.boolean(),
  has_previous: z.boolean(),
  items: z.array(auditEvent),
});
export type AuditTrail = z.infer<typeof auditTrail>;

/** A member's role: one of the given, or the identifier of the organisation's own. */
const role = z.string();

/** A role that members of an organisation can have. */
const teamRole = z.object({
  role,
  /** Null of those that are given. */
  name: z.nullable(z.string()),
  description: z.string(),
  permissions: z.array(z.string()),
  /** How many have it, and how many open invitations promise it. */
  members: z.number(),
  invitations: z.number(),
  /** Whether the user has all of its permissions, and so may change members who have it. */
  has_power: z.boolean(),
  /** Whether the reader may give it now, plan included. */
  may_give: z.boolean(),
});
export type TeamRole = z.infer<typeof teamRole>;

const store = z.nullable(z.object({ id: z.uuid(), name: z.string() }));

const teamMember = z.object({
  /** Identifier of the user. */
  id: z.uuid(),
  name: z.nullable(z.string()),
  /** Null of a member who signs in by phone. */
  email: z.nullable(z.string()),
  role,
  added_at: z.string(),
  /** The only store at whose till they work; null for all. */
  store,
  /** Keys of the API that they made and that still open; 0 for who does not manage the team. */
  api_keys: z.number(),
});
export type TeamMember = z.infer<typeof teamMember>;

const teamInvitation = z.object({
  id: z.uuid(),
  email: z.string(),
  role,
  sent_at: z.string(),
  expires_at: z.string(),
  is_expired: z.boolean(),
  inviter: z.nullable(z.string()),
  store,
});
export type TeamInvitation = z.infer<typeof teamInvitation>;

/** Answer of the SQL function `team`. A limit of -1 means unlimited. */
export const team = z.object({
  members: z.array(teamMember),
  /** Pending invitations, for members who may manage the team. */
  invitations: z.array(teamInvitation),
  /** The given ones first, the most powerful before the others. */
  roles: z.array(teamRole),
  /** Whether the plan lets the organisation make roles of its own. */
  has_own_roles: z.boolean(),
  used: z.number(),
  limit: z.number(),
});
export type Team = z.infer<typeof team>;

/** Body of the server function `invitation`. */
export const invitationRequest = z.strictObject({ token: z.string().check(z.maxLength(200)) });

/** Reason why joining is refused for now, as the refusal itself says it; null while the team takes people in. */
const closed = z.nullable(
  z.enum([
    "organization_suspended",
    "organization_ending",
    "subscription_closed",
    "user_limit_reached",
  ]),
);

/** Answer of the server function `invitation`: what the link of a mail leads to. */
export const invitationPage = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("open"),
    organization: z.string(),
    /** The invited address, in lower case. */
    email: z.string(),
    role,
    /** Of a role of the organisation's own; null of those that are given. */
    role_name: z.nullable(z.string()),
    role_description: z.string(),
    inviter: z.nullable(z.string()),
    expires_at: z.string(),
    store: z.nullable(z.string()),
    closed,
  }),
  z.object({
    state: z.enum(["unknown", "accepted", "withdrawn", "expired"]),
    organization: z.nullable(z.string()),
  }),
]);
export type InvitationPage = z.infer<typeof invitationPage>;

/** Answer of the SQL function `accept_invitation`. */
export const acceptedInvitation = z.object({ organization: z.uuid(), role });

/** Answer of the SQL function `waiting_invitation`: for a user who has proved the invited address; null without one. */
export const waitingInvitation = z.nullable(
  z.object({
    id: z.uuid(),
    organization: z.string(),
    role,
    /** Of a role of the organisation's own; null of those that are given. */
    role_name: z.nullable(z.string()),
    inviter: z.nullable(z.string()),
    expires_at: z.string(),
    closed,
  }),
);
