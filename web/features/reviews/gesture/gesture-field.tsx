import type { GivableReward } from "#domain/schemas/reviews.ts";
import { SelectField } from "../../../ui/forms/select-field.tsx";
import { reviewPanelCopy } from "../panel/review-panel.copy.ts";

const copy = reviewPanelCopy.gesture;

type GestureFieldProps = {
  label: string;
  /** Label of the empty choice. */
  none: string;
  rewards: readonly GivableReward[];
  /** Identifier of a reward; empty for none. */
  value: string;
  onChange: (rewardId: string) => void;
  /** Use of the code, with the days for which it is good. */
  hint: (days: number) => string;
  error?: string | undefined;
};

/** The reward that a code is given for, and what such a gesture may not be tied to. */
export function GestureField(props: GestureFieldProps) {
  const { label, none, rewards, value, onChange, hint, error } = props;
  const chosen = rewards.find(({ id }) => id === value);
  return (
    <div className="grid gap-2">
      <SelectField
        label={label}
        hint={chosen && hint(chosen.days)}
        error={error}
        value={value}
        onChange={onChange}
      >
        <option value="">{none}</option>
        <GivableRewards rewards={rewards} />
      </SelectField>
      {chosen && <p className="text-sm font-semibold">{copy.rule}</p>}
    </div>
  );
}

/** Rewards under the names of their campaigns, which often give the same prize, where there are several. */
function GivableRewards({ rewards }: { rewards: readonly GivableReward[] }) {
  const options = (some: readonly GivableReward[]) =>
    some.map(({ id, name, stock }) => (
      <option key={id} value={id} dir="auto">
        {copy.option(name, stock)}
      </option>
    ));
  const campaigns = [...new Set(rewards.map(({ campaign }) => campaign))];
  if (campaigns.length < 2) return options(rewards);
  return campaigns.map((name) => (
    <optgroup key={name} label={name}>
      {options(rewards.filter(({ campaign }) => campaign === name))}
    </optgroup>
  ));
}
