import * as z from "zod/mini";

/** Answer of the SQL function `account_deletion_summary`: what goes with one's account, what stays, and what holds it back. */
export const accountDeletion = z.object({
  organization: z.nullable(
    z.object({
      name: z.string(),
      /** When the organisation is erased, where its owner asked for that. */
      erase_at: z.nullable(z.string()),
      is_last_owner: z.boolean(),
      /** False where it waits to be erased and no payment runs: it can do without an owner. */
      needs_owner: z.boolean(),
      has_colleagues: z.boolean(),
      /** The payment provider would go on charging. */
      has_running_payments: z.boolean(),
      /** Keys of the API that the person made and that still open: they stay the organisation's. */
      api_keys: z.number(),
    }),
  ),
  /** Devices on which the account is open, this one included. */
  sessions: z.number(),
});
export type AccountDeletion = z.infer<typeof accountDeletion>;

const refusals = ["proof_needed", "proof_too_new", "last_owner", "too_many_attempts"] as const;

/** Answer of the SQL function `delete_account`; `retry_after` in seconds. */
export const accountDeletionOutcome = z.object({
  outcome: z.enum(["deleted", ...refusals]),
  retry_after: z.nullish(z.number()),
});

/** Answer of the SQL function `copy_account_data`; `retry_after` in seconds. */
export const accountCopy = z.object({
  outcome: z.enum(["copied", "too_many_attempts"]),
  retry_after: z.nullish(z.number()),
  data: z.nullish(z.looseObject({})),
});
