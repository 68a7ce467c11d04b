import { randomBytes, randomUUID } from "node:crypto";
import { errorBody } from "#domain/errors/errors.ts";
import type { TestServer } from "../../harness/server.ts";

/** Answer of a server function. */
export type Answer = Awaited<ReturnType<TestServer["call"]>>;

/** A phone: what the page sends of it. */
export function newDevice(): string {
  return randomBytes(32).toString("hex");
}

/** Somebody's address on the internet, so that no limit takes one test for another. */
export function newAddress(): string {
  return [10, ...randomBytes(3)].join(".");
}

/** Body of a turn without a review: somebody new, unless told otherwise. */
export function playOf(
  campaign: { id: string },
  {
    playId = randomUUID(),
    name = "Ana Petit",
    email = `${randomUUID()}@exemple.fr`,
  }: { playId?: string; name?: string; email?: string } = {},
) {
  return {
    campaign_id: campaign.id,
    play_id: playId,
    contact: { name, email },
    device_fp: newDevice(),
  };
}

/** Body of a turn for a review. */
export function playForReview(campaign: { id: string }, reviewId: string) {
  return { campaign_id: campaign.id, review_id: reviewId, device_fp: newDevice() };
}

/** Body of a rating: of somebody new, unless told otherwise. */
export function ratingOf(
  campaign: { id: string },
  {
    visitId = randomUUID(),
    email = `${randomUUID()}@exemple.fr`,
    rating = 5,
  }: { visitId?: string; email?: string; rating?: number } = {},
) {
  return {
    campaign_id: campaign.id,
    visit_id: visitId,
    end_user: { first_name: "Ana", last_name: "Petit", email },
    rating,
  };
}

/** The status of an answer, with its code when it is a refusal: « 200 », « 409 code_used ». */
export function verdict({ status, body }: Pick<Answer, "status" | "body">): string {
  const refusal = errorBody.safeParse(body);
  return refusal.success ? `${status} ${refusal.data.error.code}` : String(status);
}

/** How many answers there are of each verdict. */
export function verdicts(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const name = verdict(answer);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
