import { useEffect, useRef, useState } from "react";
import { ENTRY_WITHOUT_REVIEW } from "#domain/rules/constants.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { customerCopy } from "../customer.copy.ts";
import { useMachineState } from "../machine/use-machine-state.ts";
import { PhoneMemory } from "../memory/phone-memory.tsx";
import { hasRecord, recordKey } from "../memory/storage.ts";
import { PageFrame } from "../parts/page-frame.tsx";
import { useLazyParts } from "../parts/use-lazy-parts.ts";
import { type FormDraft, hasDraft, type Mistakes, rememberDraft } from "./form-draft.ts";
import { formCopy } from "./form-step.copy.ts";
import { FormStep } from "./form-step.tsx";
import type { LazyParts } from "./lazy-parts.ts";
import { startReview } from "./review-state.ts";

type ReviewPageProps = {
  slug: string;
  /** Null in a static deployment, where the page fetches it. */
  campaign: PublicCampaign | null;
  /** Called in a static deployment, once the campaign is there. */
  onCampaign?: (campaign: PublicCampaign) => void;
};

const PROGRESS = {
  loading: 1,
  form: 1,
  rating: 2,
  google: 2,
  feedback: 2,
  ready: 3,
  error: undefined,
} as const;

async function loadLazyParts(slug: string, campaign: PublicCampaign | null): Promise<LazyParts> {
  const { beginReview } = await import("./lazy-parts.ts");
  return beginReview(slug, campaign);
}

/** Whether a visit to this campaign was left in the middle. */
function hasVisit({ id }: PublicCampaign): boolean {
  const key = recordKey(id, "visit");
  return hasDraft(id) || hasRecord("tab", key) || hasRecord("phone", key);
}

/** The review page: from the details to the link to the wheel (specification, section 2.5). */
export function ReviewPage({ slug, campaign: given, onCampaign }: ReviewPageProps) {
  const { later, load, isLive, isOffline } = useLazyParts(
    () => loadLazyParts(slug, given),
    () => given === null || hasVisit(given),
  );
  const [start] = useState(() => startReview(given));
  const state = useMachineState(later?.journey ?? null, start);
  const { campaign, step, rating } = state;
  const hasMoved = useRef(false);

  useEffect(() => {
    if (given === null && campaign !== null) onCampaign?.(campaign);
  }, [given, campaign, onCampaign]);

  if (step !== "form" && step !== "loading") hasMoved.current = true;

  async function submit(draft: FormDraft): Promise<Mistakes> {
    const loaded = await load();
    return loaded?.journey.submit(draft) ?? {};
  }

  return (
    <PageFrame
      campaign={campaign}
      progress={PROGRESS[step]}
      step={step}
      status={rating === null ? "" : formCopy.star(rating)}
    >
      {step === "loading" && <p>{isOffline ? customerCopy.offline : customerCopy.loading}</p>}
      {campaign !== null && step === "form" && (
        <PhoneMemory campaign={campaign}>
          <FormStep
            campaign={campaign}
            recallDraft={later?.journey.draft ?? null}
            isLive={isLive}
            isOffline={isOffline}
            takesFocus={hasMoved.current}
            freeEntryHref={`/c/${campaign.slug}/play?entry=${ENTRY_WITHOUT_REVIEW}`}
            onDraft={(draft) => rememberDraft(campaign.id, draft)}
            onSubmit={submit}
          />
        </PhoneMemory>
      )}
      {later !== null && <later.FollowingStep slug={slug} state={state} journey={later.journey} />}
    </PageFrame>
  );
}
