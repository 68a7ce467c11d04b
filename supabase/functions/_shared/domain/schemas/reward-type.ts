import * as z from "zod/mini";

/** The three kinds of rewards (specification, section 3). */
export const rewardType = z.enum(["coupon", "gift", "points"]);
export type RewardType = z.infer<typeof rewardType>;
