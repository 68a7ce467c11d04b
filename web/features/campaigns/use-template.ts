import { useMemo, useRef, useState } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import type { CampaignForm } from "./campaign.schema.ts";
import type { TemplateKit } from "./template-kit.ts";

/** The wheel of a new campaign's template: what is proposed to its trade, until somebody changes it. */
export function useTemplate<Wheel>(form: UseFormReturn<CampaignForm>, kit: TemplateKit<Wheel>) {
  const { control, getValues, setValue } = form;
  const [trade, kept] = useWatch({ control, name: ["trade", "wheel"] });
  const [isJudged, setIsJudged] = useState(false);
  const fold = useRef<HTMLDetailsElement>(null);
  const editor = useRef<HTMLDivElement>(null);
  const proposal = useMemo(() => kit.proposalFor(trade), [kit, trade]);
  const values = kit.read(kept, trade) ?? proposal;
  return {
    trade,
    values,
    isJudged,
    fold,
    editor,
    change: (change: (before: Wheel) => Wheel) => {
      // What an earlier change of the same click has made of it.
      const before = kit.read(getValues("wheel"), trade) ?? proposal;
      setValue("wheel", { trade, values: change(before) }, { shouldDirty: true });
    },
    /** Whether a campaign can be made of it; says what is wrong where it cannot. */
    judge: () => {
      if (kit.isWhole(values)) return true;
      setIsJudged(true);
      if (fold.current) fold.current.open = true;
      kit.showMistake(editor.current);
      return false;
    },
  };
}
