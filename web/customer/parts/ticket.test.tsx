import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { makeCampaign, REVIEW_ID } from "../testing/campaign.ts";
import { Ticket } from "./ticket.tsx";

const { store } = makeCampaign();
const won = {
  spin_id: REVIEW_ID,
  nonce: REVIEW_ID,
  segment_id: REVIEW_ID,
  segment_label: "Café offert",
  segment_color: "#8B5CF6",
  reward: { id: REVIEW_ID, name: "Café offert", type: "gift" as const },
  redemption_code: "WIN-2345-6789",
  expires_at: null,
};

function drawn(redemption_code: string | null): string {
  return renderToString(
    <Ticket
      result={{ ...won, redemption_code }}
      store={store}
      picture={undefined}
      isTest={false}
    />,
  );
}

it("a win with a code is a ticket to tear, and one without, points, is a card", () => {
  expect(drawn("WIN-2345-6789")).toContain("ticket-stub");
  expect(drawn(null)).not.toContain("ticket-stub");
  expect(drawn(null)).toContain("rounded-card");
});
