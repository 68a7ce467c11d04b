import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { lazyRouteComponent, useNavigate } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { type FieldErrors, type UseFormReturn, useForm } from "react-hook-form";
import { USUAL_TIMEZONE } from "#domain/rules/constants.ts";
import { type CampaignEditor, SAVED_MS } from "#domain/schemas/campaigns.ts";
import { AppError, CLOSED, errorMessage, NETWORK } from "../../lib/app-error.ts";
import { formatNumber } from "../../lib/format.ts";
import { useWayBack } from "../../lib/lists/visited.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { ListLink } from "../../ui/lists/list-link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useLeaveWarning } from "../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedForm } from "../../ui/unsaved/use-unsaved-form.ts";
import { useBroughtIntoView } from "../../ui/use-brought-into-view.ts";
import { IdentityFields } from "./details/identity-fields.tsx";
import { PeriodFields } from "./details/period-fields.tsx";
import { editorCopy as copy } from "./editor.copy.ts";
import { CONFLICT, useSaveCampaign } from "./editor.mutations.ts";
import { type EditorValues, editorForm, toValues, toWrite } from "./editor.schema.ts";
import type { EditorPart } from "./editor-part.ts";
import { firstWheel, proposeSegment } from "./wheel/propose-segment.ts";
import { showMistake } from "./wheel/show-mistake.ts";
import { WheelSection } from "./wheel/wheel-section.tsx";

/** Loaded on a conflict, which is rare. Where it does not load the form keeps what was typed. */
const ConflictNotice = lazyRouteComponent(
  () => import("./conflict/conflict-notice.tsx").catch(() => ({ ConflictNotice: BareConflict })),
  "ConflictNotice",
);

const Nothing = () => null;

/** Loaded after the form. Where it is missing a refusal stands alone: the form keeps what was typed. */
const WayToPlans = lazyRouteComponent(
  () => import("../../ui/plans/way-to-plans.tsx").catch(() => ({ WayToPlans: Nothing })),
  "WayToPlans",
);

type EditorFormProps = {
  /** The campaign as it was read for this form. */
  initial: CampaignEditor;
  /** A reward that is to be put on the wheel. */
  rewardId: string | undefined;
  /** The part that is shown; both without. */
  part: EditorPart | undefined;
  /** Reads it anew, giving up what was typed. */
  onReload: () => void;
};

/** The form of a campaign with its wheel. What was typed stays when saving fails. */
export function EditorForm({ initial, rewardId, part, onReload }: EditorFormProps) {
  const { campaign, stores } = initial;
  const [defaultValues] = useState(() => toValues(initial));
  // Version that this form is compared with: the one that was read, or a colleague's that was
  // looked at.
  const [base, setBase] = useState(initial);
  const wheel = useRef<HTMLElement>(null);
  const form = useForm<EditorValues>({
    resolver: standardSchemaResolver(editorForm),
    defaultValues,
  });
  const proposal = useProposal(form, initial, rewardId);
  const proposed = useBroughtIntoView<HTMLDivElement>(proposal !== null);
  const save = useSaveCampaign(campaign.id);
  const isBusy = save.isPending || save.isSuccess;
  const isUnsaved = form.formState.isDirty && !save.isSuccess;
  // The tabs of one form: going to the other one loses nothing.
  const warning = useLeaveWarning(isUnsaved, true);
  const found = useUnsavedForm(form, isUnsaved);
  useReturn(save.isSuccess, part && campaign.id);
  useEffect(() => {
    void WayToPlans.preload?.();
  }, []);
  const navigate = useNavigate();
  const show = (wanted: EditorPart) =>
    navigate({
      to: "/campaigns/$campaignId/edit",
      params: { campaignId: campaign.id },
      search: { part: wanted },
      replace: true,
    });

  const send = (values: EditorValues, version: number) => {
    if (isBusy) return;
    const timezone = stores.find(({ id }) => id === values.storeId)?.timezone ?? USUAL_TIMEZONE;
    const write = toWrite(values, defaultValues, timezone);
    save.mutate(
      { version, write },
      {
        onError: (error) => {
          const refused = refusedField(error);
          if (!refused) return;
          form.setError(refused.field, { message: refused.sentence });
        },
      },
    );
  };
  const submit = (version: number) =>
    form.handleSubmit(
      (values) => send(values, version),
      (errors) => {
        save.reset();
        // A mistake is not told in a part that is not shown.
        const wrong = isAboutWheel(errors) ? "wheel" : "settings";
        if (part && part !== wrong) void show(wrong);
        if (wrong === "wheel") showMistake(wheel.current);
      },
    );
  // The fields take no word while it is saved, which would be lost, and the focus only afterwards.
  const told = useRef<Error>(null);
  useEffect(() => {
    const refused = refusedField(save.error);
    if (!refused || told.current === save.error) return;
    // A refusal is not told in a part that is not shown.
    if (part === "wheel") void show("settings");
    else {
      told.current = save.error;
      form.setFocus(refused.field);
    }
  });
  const isRefused = save.isError && (isConflict(save.error) || !refusedField(save.error));
  // One saves from anywhere on the page: why it was refused comes into sight.
  const refused = useBroughtIntoView<HTMLDivElement>(isRefused);

  return (
    <form noValidate className="grid gap-6" onSubmit={submit(base.campaign.version)}>
      {found}
      <div
        hidden={part === "wheel"}
        inert={isBusy}
        className="grid items-start gap-6 xl:grid-cols-2"
      >
        <IdentityFields form={form} editor={initial} />
        <PeriodFields campaignId={campaign.id} form={form} stores={stores} />
      </div>
      <div hidden={part === "settings"} inert={isBusy} className="grid gap-6">
        {proposal && !save.isSuccess && (
          <div ref={proposed} tabIndex={-1} className="scroll-mt-24">
            <Notice>{copy.wheel.proposed(proposal.name, formatNumber(proposal.weight))}</Notice>
          </div>
        )}
        <WheelSection ref={wheel} form={form} editor={initial} />
      </div>
      {isRefused && (
        <div ref={refused} tabIndex={-1} className="scroll-mt-24">
          <SaveRefusal
            error={save.error}
            base={base}
            onReload={onReload}
            onKeep={(latest) => {
              setBase(latest);
              void submit(latest.campaign.version)();
            }}
          />
        </div>
      )}
      <SaveBar isUnsaved={isUnsaved} isBusy={isBusy}>
        {save.isSuccess && (
          <Notice tone="done">
            <p>{copy.saved}</p>
            {save.data.slug !== form.getValues("slug").trim() && (
              <p className="font-normal">{copy.savedElsewhere(save.data.slug)}</p>
            )}
          </Notice>
        )}
      </SaveBar>
      {warning}
    </form>
  );
}

/** Puts a proposed segment or first wheel into the form, unsaved: the merchant sees the odds first. Null without a proposal. */
function useProposal(
  form: UseFormReturn<EditorValues>,
  initial: CampaignEditor,
  rewardId: string | undefined,
) {
  const [proposal] = useState(() => {
    const reward = initial.rewards.find(({ id }) => id === rewardId);
    if (initial.wheel === "example") return firstWheel(copy.wheel.losingLabel, reward);
    // A campaign without a wheel of its own has all its rewards on it already.
    const isOwn = reward?.home === null;
    return initial.wheel === "suggested" && isOwn
      ? null
      : proposeSegment(form.getValues("segments"), reward);
  });
  useEffect(() => {
    if (!proposal) return;
    form.setValue("segments", proposal.segments, { shouldDirty: true });
    form.setValue("hasWheel", true, { shouldDirty: true });
  }, [proposal, form]);
  return proposal;
}

type SaveRefusalProps = {
  error: Error | null;
  /** Version that the form is compared with. */
  base: CampaignEditor;
  onReload: () => void;
  /** Saves what was typed over a colleague's version. */
  onKeep: (latest: CampaignEditor) => void;
};

/** Why nothing was saved: another user's changes, or a refusal. */
function SaveRefusal({ error, base, onReload, onKeep }: SaveRefusalProps) {
  if (isConflict(error)) {
    return (
      <Suspense>
        <ConflictNotice base={base} onReload={onReload} onKeep={onKeep} />
      </Suspense>
    );
  }
  return (
    <Alert>
      <p>{saveFailure(error)}</p>
      <Suspense>
        <WayToPlans error={error} />
      </Suspense>
    </Alert>
  );
}

/** Another user saved meanwhile, without what they changed. */
function BareConflict({ onReload }: Pick<SaveRefusalProps, "onReload">) {
  const { text, reload } = copy.conflict;
  return (
    <Alert>
      <div className="grid justify-items-start gap-3">
        <p>{text}</p>
        <Button variant="secondary" onClick={onReload}>
          {reload}
        </Button>
      </div>
    </Alert>
  );
}

/**
 * Goes back once the message of success has been visible for a moment (specification, section 2.15): to the list, or from a
 * tab of a campaign to its home.
 */
function useReturn(isSaved: boolean, campaignId: string | undefined): void {
  const navigate = useNavigate();
  const goBack = useRef(useWayBack("/campaigns"));
  useEffect(() => {
    if (!isSaved) return;
    const timer = setTimeout(() => {
      if (campaignId) void navigate({ to: "/campaigns/$campaignId", params: { campaignId } });
      else if (!goBack.current()) void navigate({ to: "/campaigns" });
    }, SAVED_MS);
    return () => clearTimeout(timer);
  }, [isSaved, campaignId, navigate]);
}

/** Whether nothing above the wheel is wrong: what is above is focused by the form itself. */
function isAboutWheel(errors: FieldErrors<EditorValues>): boolean {
  return Object.keys(errors).every((field) => field === "hasWheel" || field === "segments");
}

const REASONS: Readonly<Record<string, string>> = {
  TV001: copy.failures.limit,
  TV061: copy.failures.archived,
  TV065: copy.failures.reward,
  "23503": copy.failures.reward,
  forbidden: copy.failures.forbidden,
  [NETWORK]: copy.failures.network,
};

/** Mistakes in one field that only the platform can find. */
const FIELDS = {
  "23505": { field: "name", sentence: copy.failures.name },
  TV066: { field: "slug", sentence: copy.failures.slug },
  TV060: { field: "storeId", sentence: copy.failures.storeArchived },
} as const;

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : "";
}

function isConflict(error: unknown): boolean {
  return codeOf(error) === CONFLICT;
}

/** The field that a refusal is about, with its sentence; null of one that is about none. */
function refusedField(error: unknown) {
  const found = Object.entries(FIELDS).find(([code]) => code === codeOf(error));
  return found ? found[1] : null;
}

/** Why a campaign was not saved (specification, section 8). */
function saveFailure(error: unknown): string {
  if (CLOSED.includes(codeOf(error) ?? "")) return errorMessage(error);
  return copy.failures.update(REASONS[codeOf(error)] ?? copy.failures.unknown);
}

type SaveBarProps = {
  isUnsaved: boolean;
  isBusy: boolean;
  /** Outcome of the save. */
  children: ReactNode;
};

/** Saving and giving up, in sight wherever one is on the page; on a phone above the navigation. Not where it would cover half a screen. */
function SaveBar({ isUnsaved, isBusy, children }: SaveBarProps) {
  return (
    <div
      data-sticks="saving"
      className="sticky bottom-[calc(3.75rem+env(safe-area-inset-bottom))] z-10 -mx-4 grid gap-2 border-t border-line bg-surface px-4 py-2.5 shadow-card sm:-mx-2 sm:rounded-card sm:border sm:px-4 md:bottom-3 [@media(max-height:30em)]:static"
    >
      {children}
      <div className="flex items-center justify-end gap-2">
        <p className="mr-auto min-w-0 text-sm text-muted max-sm:sr-only">
          {isUnsaved && copy.unsaved}
        </p>
        <ListLink to="/campaigns" className={`${buttonClass({ variant: "quiet" })} max-sm:flex-1`}>
          {copy.cancel}
        </ListLink>
        <Button type="submit" className="min-h-12 max-sm:flex-[2] sm:min-w-48" busy={isBusy}>
          {copy.save}
        </Button>
      </div>
    </div>
  );
}
