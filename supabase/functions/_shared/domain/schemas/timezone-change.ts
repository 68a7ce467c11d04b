import * as z from "zod/mini";

/** Answer of the SQL function `timezone_change`: what the zone does to dated campaigns; names only for who may read them. */
export const timezoneChange = z.nullable(
  z.array(z.object({ name: z.nullable(z.string()), effect: z.enum(["stops", "starts", "moves"]) })),
);
export type TimezoneChange = z.infer<typeof timezoneChange>;
