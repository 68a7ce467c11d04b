import * as z from "zod/mini";

/** Pictures of prizes, as the column `rewards.picture` names them. */
export const prizePicture = z.enum([
  "coffee",
  "pastry",
  "dessert",
  "drink",
  "meal",
  "discount",
  "gift",
  "care",
  "hair",
  "key",
  "sport",
  "star",
]);
export type PrizePicture = z.infer<typeof prizePicture>;
