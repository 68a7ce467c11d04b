import * as z from "zod/mini";
import { drawPictures } from "../rules/draw-pictures.ts";
import { prizePicture } from "../rules/prize-picture.ts";
import { type PublicCampaign, publicCampaign, publicSegment } from "./public-page.ts";

/** Answer of the SQL function `campaign_page`: a segment names its picture. */
export const campaignPage = z.extend(publicCampaign, {
  segments: z.array(z.extend(publicSegment, { picture: z.optional(prizePicture) })),
});

/** A campaign as phones read it, who know none of the pictures: those of its wheel come with it. */
export function withDrawings(page: z.infer<typeof campaignPage>): PublicCampaign {
  return { ...page, segments: drawPictures(page.segments) };
}
