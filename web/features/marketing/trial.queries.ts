import { queryOptions } from "@tanstack/react-query";
import { publicCampaign } from "#domain/public-page.ts";
import type { Slice } from "../../ui/wheel/wheel-face.tsx";
import { exampleSegments } from "./example-segments.copy.ts";

/** The slices to try: those of the demo shop, or the example where there is none or it does not answer. */
export function trialQuery(demoSlug: string | null | undefined) {
  return queryOptions({
    queryKey: ["campaigns", "trial", demoSlug],
    queryFn: async (): Promise<readonly Slice[]> => {
      if (!demoSlug) return exampleSegments;
      const response = await fetch(`/functions/v1/campaign?slug=${encodeURIComponent(demoSlug)}`);
      const campaign = publicCampaign.safeParse(await response.json());
      return campaign.data?.segments ?? exampleSegments;
    },
    retry: false,
  });
}
