import { Link, type LinkProps } from "@tanstack/react-router";
import { ArrowRight, Circle, CircleCheck } from "lucide-react";
import { useId } from "react";
import type { CampaignStats } from "#domain/schemas/campaign-stats.ts";
import { campaignForm, campaignHome } from "../../../lib/campaign-links.ts";
import { useMay } from "../../../lib/use-may.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { campaignFiguresCopy } from "./campaign-figures.copy.ts";

const copy = campaignFiguresCopy.checklist;

type Step = { name: keyof typeof copy.steps; isDone: boolean; link: LinkProps | false };

type CampaignChecklistProps = { campaign: CampaignStats["campaign"]; scans: number };

/** Missing steps before customers can play, with the way to each; gone once all are done. */
export function CampaignChecklist({ campaign, scans }: CampaignChecklistProps) {
  const title = useId();
  const { mayOpen } = useMay();
  const { id: campaignId, store_id: storeId } = campaign;
  if (!mayOpen("/campaigns/$campaignId/edit")) return null;
  const steps: readonly Step[] = [
    {
      name: "rewards",
      isDone: campaign.has_reward,
      link: mayOpen("/rewards/new") && { to: "/rewards/new", search: { campaign: campaignId } },
    },
    { name: "odds", isDone: campaign.has_prize, link: campaignForm(campaignId, "wheel") },
    {
      name: "reviewLink",
      isDone: campaign.has_review_link,
      link: storeId !== null &&
        mayOpen("/stores/$storeId/edit") && { to: "/stores/$storeId/edit", params: { storeId } },
    },
    { name: "active", isDone: campaign.active, link: campaignForm(campaignId, "settings") },
    {
      name: "poster",
      isDone: campaign.has_poster,
      link: campaignHome(campaignId, "posters"),
    },
    {
      name: "scan",
      isDone: scans > 0,
      link: campaignHome(campaignId, "posters"),
    },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section
      aria-labelledby={title}
      className="grid gap-2 rounded-card bg-surface p-5 shadow-card sm:p-6 print:hidden"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={title} className="text-xl">
          {copy.title}
        </h2>
        <p className="text-muted tabular-nums">{copy.progress(done, steps.length)}</p>
      </div>
      <ol className="divide-y divide-line">
        {steps.map((step) => (
          <ChecklistStep key={step.name} step={step} isNext={step === next} />
        ))}
      </ol>
    </section>
  );
}

function ChecklistStep({ step, isNext }: { step: Step; isNext: boolean }) {
  const { name, isDone, link } = step;
  const words = copy.steps[name];
  const Mark = isDone ? CircleCheck : Circle;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <Mark
        aria-hidden="true"
        className={`size-6 shrink-0 ${isDone ? "text-mint-ink" : "text-muted"}`}
      />
      <p
        className={`min-w-0 flex-1 basis-52 py-2 ${isDone ? "text-muted" : "font-semibold text-pretty"}`}
      >
        <span className="sr-only">{copy.state(isDone)}</span>
        {isDone ? words.done : words.toDo}
      </p>
      {!isDone && link && (
        <Link {...link} className={buttonClass({ variant: isNext ? "primary" : "quiet" })}>
          {words.link}
          <ArrowRight aria-hidden="true" className="size-4" />
        </Link>
      )}
    </li>
  );
}
