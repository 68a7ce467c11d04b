import { type FormEvent, useEffect, useRef, useState } from "react";
import { NAME_MAX_LENGTH } from "#domain/constants.ts";
import { playerName } from "#domain/contact.ts";
import { EmptyPicture } from "../empty-picture.tsx";
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
  onSubmit: (name: string) => void;
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

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const checked = playerName.safeParse(readName(event.currentTarget));
    setMistake(checked.error?.issues[0]?.message);
    if (checked.success) onSubmit(checked.data);
    else document.getElementById("name")?.focus();
  }

  if (isResting) {
    return (
      <section className="grid gap-3">
        <StepTitle takesFocus={false}>{wheelCopy.ready.resting}</StepTitle>
        <p>{wheelCopy.ready.restingHint}</p>
        <EmptyPicture />
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
