import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { makeCampaign, makeResult } from "../testing/campaign.ts";
import { Ticket } from "./ticket.tsx";

const { store } = makeCampaign();
const won = makeResult({ redemption_code: "WIN-2345-6789" });

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
