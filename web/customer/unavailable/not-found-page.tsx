import * as z from "zod/mini";
import { closedCampaign } from "#domain/schemas/closed-campaign.ts";
import { PageFrame } from "../parts/page-frame.tsx";
import { ClosedStep } from "./closed-step.tsx";

/**
 * Data that the server put into the document of a missing page; null where there is nothing to say.
 */
export const readClosed = (data: unknown) => z.nullable(closedCampaign).parse(data);

/**
 * A campaign at which nobody can play now; without data, a campaign or organisation that does not exist, or of which nobody
 * is told.
 */
export function NotFoundPage({ data }: { data: unknown }) {
  const closed = readClosed(data);
  return (
    <PageFrame campaign={closed}>
      <ClosedStep slug="" closed={closed} isAsked={false} takesFocus={false} />
    </PageFrame>
  );
}
