import * as z from "zod/mini";

const uuid = z.guid();

/** Body of `presence`: what the store shows, typed or scanned. */
export const presenceRequest = z.strictObject({
  campaign_id: uuid,
  proof: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)),
  device_fp: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

/** Answer of `presence`; both null where the campaign asks for nothing. */
export const presencePass = z.object({
  pass: z.nullable(z.string()),
  /** Until when a spin may use it (ISO 8601). */
  valid_until: z.nullable(z.string()),
});
export type PresencePass = z.infer<typeof presencePass>;

/** Answer of the SQL function `presence_board`: what the screen at the till of a store shows. */
export const presenceBoard = z.object({
  /** Milliseconds until the first code of each list gives way to the second. */
  turns_in_ms: z.number(),
  /** Milliseconds until midnight at the store. */
  day_ends_in_ms: z.number(),
  campaigns: z.array(
    z.object({
      id: uuid,
      name: z.string(),
      slug: z.string(),
      kind: z.enum(["turning", "word"]),
      /** Codes of the next five minutes, 30 seconds each; null of a word. */
      codes: z.nullable(z.array(z.string())),
      word: z.nullable(z.string()),
    }),
  ),
});
export type PresenceBoard = z.infer<typeof presenceBoard>;
