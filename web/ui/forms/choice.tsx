import { useId } from "react";

type ChoiceProps<Name extends string> = {
  label: string;
  options: readonly { name: Name; label: string }[];
  current: Name;
  onChange: (name: Name) => void;
};

/** One of a few, all in view. */
export function Choice<Name extends string>(props: ChoiceProps<Name>) {
  const { label, options, current, onChange } = props;
  const group = useId();
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.name}
          className="inline-flex min-h-11 cursor-pointer items-center rounded-full border-[1.5px] border-field bg-surface px-4 font-semibold max-sm:px-3.5 text-muted transition-colors duration-150 has-checked:border-violet has-checked:bg-violet-soft has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet"
        >
          <input
            type="radio"
            name={group}
            value={option.name}
            checked={option.name === current}
            onChange={() => onChange(option.name)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
