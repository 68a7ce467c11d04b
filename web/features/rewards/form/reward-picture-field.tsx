import { useId } from "react";
import type { UseFormReturn } from "react-hook-form";
import { prizePicture } from "#domain/rules/prize-picture.ts";
import { PRIZE_DRAWINGS } from "#domain/rules/prize-pictures.ts";
import { PrizePicture } from "../../../ui/prize-picture.tsx";
import { pictureOf, type RewardValues } from "./reward.schema.ts";
import { rewardFormCopy } from "./reward-form.copy.ts";

const { fields: copy, pictures } = rewardFormCopy;

const CHOICES = ["none", ...prizePicture.options] as const;

/** The picture of a reward: what its name suggests, until one is chosen. */
export function RewardPictureField({ form }: { form: UseFormReturn<RewardValues> }) {
  const group = useId();
  const values = form.watch();
  const current = pictureOf(values) ?? "none";
  return (
    <fieldset aria-describedby={`${group}-hint`} className="grid gap-1.5 sm:col-span-2">
      <legend className="mb-1.5 font-semibold">{copy.picture}</legend>
      <p id={`${group}-hint`} className="text-sm text-muted">
        {values.picture === "guessed" ? copy.pictureGuessed : copy.pictureHint}
      </p>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(6rem,1fr))] gap-2">
        {CHOICES.map((choice) => (
          <label
            key={choice}
            className="grid min-h-20 cursor-pointer content-center justify-items-center gap-1.5 rounded-field border-[1.5px] border-field bg-surface p-2 text-center text-sm leading-tight font-medium text-muted transition-colors duration-150 has-checked:border-violet has-checked:bg-violet-soft has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet"
          >
            <input
              type="radio"
              name={group}
              value={choice}
              checked={choice === current}
              onChange={() => form.setValue("picture", choice, { shouldDirty: true })}
              className="sr-only"
            />
            {choice !== "none" && (
              <PrizePicture
                drawing={PRIZE_DRAWINGS[choice]}
                className={`size-8 ${choice === current ? "text-violet" : ""}`}
              />
            )}
            {pictures[choice]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
