import { Coins, Gift, type LucideIcon, Ticket } from "lucide-react";
import type { RewardType } from "#domain/schemas/reward-type.ts";

/** The picture of each type. */
export const REWARD_ICONS: Readonly<Record<RewardType, LucideIcon>> = {
  coupon: Ticket,
  gift: Gift,
  points: Coins,
};
