import type { EditorReward } from "#domain/schemas/campaigns.ts";
import { editorCopy } from "../editor.copy.ts";
import { rewardState } from "../odds/odds.ts";

const copy = editorCopy.wheel;

/** The campaign's own rewards, then those that it can share with another one. */
export function RewardOptions({ rewards }: { rewards: readonly EditorReward[] }) {
  const optionOf = (one: EditorReward) => {
    const state = rewardState(one);
    return (
      <option key={one.id} value={one.id}>
        {state ? copy.rewardNamed(one.name, copy.rewardState[state]) : one.name}
      </option>
    );
  };
  const homes = [...new Set(rewards.flatMap(({ home }) => home ?? []))];
  return (
    <>
      {rewards.filter(({ home }) => home === null).map(optionOf)}
      {homes.map((name) => (
        <optgroup key={name} label={copy.from(name)}>
          {rewards.filter(({ home }) => home === name).map(optionOf)}
        </optgroup>
      ))}
    </>
  );
}
