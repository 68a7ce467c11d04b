import * as z from "zod/mini";
import { drawPictures } from "../rules/draw-pictures.ts";
import { prizePicture } from "../rules/prize-picture.ts";
import type { Language } from "../text/languages.ts";
import { merchantWords, say, wordsIn } from "../text/merchant-words.ts";
import { type PublicCampaign, publicCampaign, publicSegment } from "./public-page.ts";

/** Answer of the SQL function `campaign_page`: a segment names its picture, and texts come with their translations. */
export const campaignPage = z.extend(publicCampaign, {
  segments: z.array(z.extend(publicSegment, { picture: z.optional(prizePicture) })),
  words: merchantWords,
});

/** A campaign as phones read it in a language: they know none of the pictures, so that those of its wheel come with it. */
export function forPhones(
  { words: all, ...page }: z.infer<typeof campaignPage>,
  language: Language,
): PublicCampaign {
  const words = wordsIn(all, language);
  const segments = page.segments.map((one) => ({ ...one, label: say(words, one.label) }));
  const name = say(words, page.name);
  return { ...page, name, segments: drawPictures(segments), ...(words.length > 0 && { words }) };
}
