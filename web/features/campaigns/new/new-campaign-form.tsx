import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useQuery } from "@tanstack/react-query";
import { lazyRouteComponent, useNavigate } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import {
  type ComponentType,
  type Ref,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { type UseFormReturn, useForm, useWatch } from "react-hook-form";
import type { Trade } from "#domain/rules/trade-wheels.ts";
import { newId } from "#domain/text/new-id.ts";
import { useApp } from "../../../lib/app-context.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button, ButtonRow } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { ListLink } from "../../../ui/lists/list-link.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedForm } from "../../../ui/unsaved/use-unsaved-form.ts";
import { type CampaignForm, campaignForm } from "../campaign.schema.ts";
import { campaignsCopy } from "../campaigns.copy.ts";
import { creationFailure, type NewSegment, useCreateCampaign } from "../campaigns.mutations.ts";
import { campaignListQuery, type StoreChoice } from "../campaigns.queries.ts";
import { CampaignFields, OriginFields } from "./campaign-fields.tsx";

const Nothing = () => null;

/** Loaded after the form. Where it is missing a refusal stands alone: the form keeps what was typed. */
const WayToPlans = lazyRouteComponent(
  () => import("../../../ui/plans/way-to-plans.tsx").catch(() => ({ WayToPlans: Nothing })),
  "WayToPlans",
);

const copy = campaignsCopy.create;

type EditorProps<Wheel> = {
  storeName: string;
  values: Wheel;
  /** Whether what is wrong is said. */
  isJudged: boolean;
  onChange: (change: (before: Wheel) => Wheel) => void;
  ref: Ref<HTMLDivElement>;
};

/** The wheel of a template while it is adjusted, which belongs to the feature of the wheel. */
export type TemplateKit<Wheel> = {
  proposalFor: (trade: Trade) => Wheel;
  /** Edited wheel of a trade in the form; null without one, or with another trade's. */
  read: (kept: unknown, trade: Trade) => Wheel | null;
  isWhole: (wheel: Wheel) => boolean;
  toSegments: (wheel: Wheel) => NewSegment[];
  Editor: ComponentType<EditorProps<Wheel>>;
  /** Focuses the first mistake. */
  showMistake: (editor: HTMLElement | null) => void;
};

/** The newest campaigns: what one copies is seldom old, and every other one has « Dupliquer » in its menu. */
const NEWEST = { q: "", isArchived: false, page: 1 } as const;

type NewCampaignFormProps<Wheel> = {
  orgId: string;
  stores: readonly StoreChoice[];
  kit: TemplateKit<Wheel>;
};

/** The form of a new campaign. Where there is one store, it is chosen already. */
export function NewCampaignForm<Wheel>(props: NewCampaignFormProps<Wheel>) {
  const { orgId, stores, kit } = props;
  const { supabase } = useApp();
  const mayMakeRewards = useMay().mayOpen("/rewards/new");
  const navigate = useNavigate();
  const create = useCreateCampaign(orgId);
  const [id] = useState(newId);
  const [only, ...others] = stores;
  const form = useForm<CampaignForm>({
    resolver: standardSchemaResolver(campaignForm),
    defaultValues: {
      name: "",
      description: "",
      storeId: only && others.length === 0 ? only.id : "",
      startsOn: "",
      endsOn: "",
      active: true,
      origin: "empty",
      trade: "cafe",
      wheel: null,
      sourceId: "",
      stock: "left",
      stockCount: "",
    },
  });
  const { control, getValues, setValue, handleSubmit, formState } = form;
  const [name = "", storeId, origin] = useWatch({ control, name: ["name", "storeId", "origin"] });
  const list = useQuery({
    ...campaignListQuery(supabase, orgId, NEWEST),
    enabled: origin === "copy",
  });
  const sources = list.data ? list.data.items.filter(({ rewards }) => rewards > 0) : null;
  const [newest] = sources ?? [];
  // The newest one is chosen already, and its store.
  useEffect(() => {
    if (origin !== "copy" || !newest || getValues("sourceId")) return;
    setValue("sourceId", newest.id);
    if (!getValues("storeId") && stores.some((store) => store.id === newest.store_id)) {
      setValue("storeId", newest.store_id);
    }
  }, [origin, newest, stores, getValues, setValue]);

  useEffect(() => {
    void WayToPlans.preload?.();
  }, []);

  const template = useTemplate(form, kit);
  const storeName = stores.find((store) => store.id === storeId)?.name ?? only?.name ?? "";

  // A second click does nothing until the list is there.
  const isBusy = create.isPending || create.isSuccess;
  const isUnsaved = formState.isDirty && !create.isSuccess;
  const warning = useLeaveWarning(isUnsaved);
  const found = useUnsavedForm(form, isUnsaved);

  const send = (values: CampaignForm) => {
    const store = stores.find((one) => one.id === values.storeId);
    if (isBusy || !store) return;
    const isTemplate = values.origin === "template";
    if (isTemplate && !template.judge()) return;
    create.mutate({
      ...values,
      id,
      timezone: store.timezone,
      segments: isTemplate ? kit.toSegments(template.values) : null,
    });
  };
  // After the warning has seen that everything is saved.
  useEffect(() => {
    if (create.isSuccess) void navigate({ to: "/campaigns", replace: true });
  }, [create.isSuccess, navigate]);

  return (
    <form
      noValidate
      className="grid gap-6 rounded-card bg-surface p-5 shadow-card sm:p-8"
      onSubmit={handleSubmit(send, create.reset)}
    >
      {found}
      {create.isError && (
        <Alert>
          <p>{creationFailure(create.error)}</p>
          <Suspense>
            <WayToPlans error={create.error} />
          </Suspense>
        </Alert>
      )}
      {mayMakeRewards && <OriginFields form={form} sources={sources} />}
      {origin === "copy" && list.isError && !list.data && (
        <LoadProblem
          text={copy.origin.sourcesFailed}
          onRetry={() => list.refetch()}
          isRetrying={list.isFetching}
        />
      )}
      {origin === "template" && (
        <details ref={template.fold} className="group rounded-card border-[1.5px] border-line">
          <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 px-4 py-2 font-semibold [&::-webkit-details-marker]:hidden">
            {copy.origin.adjust}
            <ChevronDown
              aria-hidden="true"
              className="size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
            />
          </summary>
          <div className="p-4">
            <Suspense fallback={<div className="min-h-96" />}>
              <kit.Editor
                // Edits belong to this trade, and so does their undo.
                key={template.trade}
                ref={template.editor}
                storeName={storeName}
                values={template.values}
                isJudged={template.isJudged}
                onChange={template.change}
              />
            </Suspense>
          </div>
        </details>
      )}
      <CampaignFields form={form} stores={stores} hasPrize={origin !== "empty"} />
      <ButtonRow isStacked className="mt-2">
        <ListLink to="/campaigns" className={buttonClass({ variant: "quiet", size: "lg" })}>
          {copy.cancel}
        </ListLink>
        <Button
          type="submit"
          size="lg"
          className="sm:min-w-48"
          busy={isBusy}
          incomplete={name.trim() === "" || !storeId}
        >
          {copy.submit}
        </Button>
      </ButtonRow>
      {warning}
    </form>
  );
}

/** The wheel of a new campaign's template: what is proposed to its trade, until the user changes it. */
function useTemplate<Wheel>(form: UseFormReturn<CampaignForm>, kit: TemplateKit<Wheel>) {
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
      // An earlier change of the same click may have edited it.
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
