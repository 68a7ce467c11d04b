import { expect, it } from "vitest";
import { customerDetailCopy } from "./features/customers/profile/customer-detail.copy.ts";
import { checksCopy } from "./features/rewards/checks/checks.copy.ts";
import { rewardStatsCopy } from "./features/rewards/figures/reward-stats.copy.ts";
import { pointsCopy } from "./features/rewards/points/points.copy.ts";

/** Sentences around a figure: their words agree with one, and with several. */

const history = customerDetailCopy.history;

it.each([
  ["a customer's win of points", history.points, "+1 point", "+2 points"],
  [
    "prizes about to be cancelled",
    (count: number) => checksCopy.confirm.text(count).split(" en stock")[0],
    "1 gain ne pourra plus être utilisé et retourne",
    "2 gains ne pourront plus être utilisés et retournent",
  ],
  [
    "prizes that did not change",
    checksCopy.left,
    "1 gain inchangé : déjà utilisé en caisse, ou stock épuisé.",
    "2 gains inchangés : déjà utilisés en caisse, ou stock épuisé.",
  ],
  ["exchanges of points", pointsCopy.spends, "1 échangé", "2 échangés"],
  [
    "exchanges that the points allow",
    pointsCopy.affordable,
    "1 échange possible avec les points en circulation",
    "2 échanges possibles avec les points en circulation",
  ],
  ["the total of codes", rewardStatsCopy.total, "code", "codes"],
])("%s", (_, text, one, several) => {
  expect(text(1)).toBe(one);
  expect(text(2)).toBe(several);
});
