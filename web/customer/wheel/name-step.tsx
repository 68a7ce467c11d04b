import { type FormEvent, useEffect, useRef, useState } from "react";
import { NAME_MAX_LENGTH } from "#domain/constants.ts";
import { Action } from "../parts/action.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { TextField } from "../parts/text-field.tsx";
import { ThumbBar } from "../parts/thumb-bar.tsx";
import { wheelCopy } from "./wheel.copy.ts";

const copy = wheelCopy.name;

type NameStepProps = {
  /** What was typed before the page was left. */
  draft: string;
  isLive: boolean;
  /** There is nothing to play for at present. */
  isResting: boolean;
  takesFocus: boolean;
  onDraft: (name: string) => void;
  /** Goes on, or tells what is wrong. */
  onSubmit: (name: string) => Promise<string | undefined>;
};

function readName(form: HTMLFormElement): string {
  return String(new FormData(form).get("name"));
}

/** Who plays without a review. */
export function NameStep({
  draft,
  isLive,
  isResting,
  takesFocus,
  onDraft,
  onSubmit,
}: NameStepProps) {
  const form = useRef<HTMLFormElement>(null);
  const [mistake, setMistake] = useState<string>();

  useEffect(() => {
    const input = form.current?.elements.namedItem("name");
    if (input instanceof HTMLInputElement && input.value === "") input.value = draft;
  }, [draft]);

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
        onDraft(readName(currentTarget));
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
      <ThumbBar>
        <Action type={isLive ? "submit" : "button"}>{copy.submit}</Action>
      </ThumbBar>
    </form>
  );
}
