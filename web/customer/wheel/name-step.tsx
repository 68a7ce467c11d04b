import { type FormEvent, useEffect, useRef, useState } from "react";
import { NAME_MAX_LENGTH } from "#domain/rules/constants.ts";
import type { SavedPlay } from "../memory/play-memory.ts";
import { JOURNEY_LIFE_MS, recordKey, remember } from "../memory/storage.ts";
import { Action } from "../parts/action.tsx";
import { BottomBar } from "../parts/bottom-bar.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { TextField } from "../parts/text-field.tsx";
import type { PlayJourney } from "./play-journey.ts";
import { wheelCopy } from "./wheel.copy.ts";

const copy = wheelCopy.name;

type NameStepProps = {
  /** Name as it was typed before the page was left. */
  draft: string;
  isLive: boolean;
  /** There is nothing to play for at present. */
  isResting: boolean;
  takesFocus: boolean;
  /** The campaign for which the name is kept in the tab; a test keeps nothing. */
  keptFor: string | null;
  /** Keeper of the draft, once it has been loaded. */
  keepDraft: PlayJourney["keepDraft"] | null;
  /** Continues, or shows what is wrong. */
  onSubmit: (name: string) => Promise<string | undefined>;
};

/** Keeps a name from its first letter on, before anything else is loaded. */
function rememberName(campaignId: string, name: string) {
  const draft = { name, email: "", phone: "" };
  const saved: SavedPlay = { step: "name", name: "", contact: null, draft };
  remember("tab", recordKey(campaignId, "play:libre"), saved, JOURNEY_LIFE_MS);
}

function readName(form: HTMLFormElement): string {
  return String(new FormData(form).get("name"));
}

/** Name of a player who comes without a review. */
export function NameStep({
  draft,
  isLive,
  isResting,
  takesFocus,
  keptFor,
  keepDraft,
  onSubmit,
}: NameStepProps) {
  const form = useRef<HTMLFormElement>(null);
  const [mistake, setMistake] = useState<string>();

  useEffect(() => {
    const input = form.current?.elements.namedItem("name");
    if (input instanceof HTMLInputElement && input.value === "") input.value = draft;
  }, [draft]);

  function keep(name: string) {
    if (keepDraft !== null) keepDraft({ name });
    else if (keptFor !== null) rememberName(keptFor, name);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before the script listened.
  useEffect(() => {
    const name = isLive && form.current !== null ? readName(form.current) : "";
    if (name !== "") keep(name);
  }, [isLive]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = await onSubmit(readName(event.currentTarget));
    setMistake(found);
    if (found !== undefined) document.getElementById("name")?.focus();
  }

  if (isResting) {
    return (
      <section className="grid gap-3">
        <StepTitle takesFocus={false}>{wheelCopy.ready.resting}</StepTitle>
        <p>{wheelCopy.ready.restingHint}</p>
      </section>
    );
  }
  return (
    <form
      ref={form}
      className="flex grow flex-col gap-4"
      noValidate
      onSubmit={submit}
      onInput={({ currentTarget }) => {
        setMistake(undefined);
        keep(readName(currentTarget));
      }}
    >
      <StepTitle takesFocus={takesFocus}>{copy.title}</StepTitle>
      <p>{copy.intro}</p>
      <TextField
        name="name"
        label={copy.label}
        autoComplete="name"
        autoCapitalize="words"
        enterKeyHint="next"
        maxLength={NAME_MAX_LENGTH}
        mistake={mistake}
      />
      <BottomBar>
        <Action type={isLive ? "submit" : "button"} isWaiting={!isLive}>
          {copy.submit}
        </Action>
      </BottomBar>
    </form>
  );
}
