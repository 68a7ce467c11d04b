import { Field } from "../../ui/field.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { editorCopy } from "./editor.copy.ts";

const copy = editorCopy.wheel;

/** Bounds of a weight, in percent (specification, section 9). */
const MIN = 0;
const MAX = 100;

function clamp(text: string): number {
  return Math.min(MAX, Math.max(MIN, Number.parseInt(text, 10) || MIN));
}

/** A weight, to drag and to type; whatever is typed stays between 0 and 100. */
export function WeightInput(props: { value: number; onChange: (value: number) => void }) {
  const { value, onChange } = props;
  return (
    <div className="flex min-w-0 items-end gap-4">
      <input
        type="range"
        aria-label={copy.slider}
        min={MIN}
        max={MAX}
        step={1}
        value={value}
        onChange={(event) => onChange(clamp(event.target.value))}
        className="h-12 min-w-0 flex-1 cursor-pointer accent-violet"
      />
      <Field label={copy.weight}>
        {(field) => (
          <TextInput
            {...field}
            type="number"
            inputMode="numeric"
            min={MIN}
            max={MAX}
            step={1}
            value={value}
            onFocus={(event) => event.target.select()}
            onChange={(event) => onChange(clamp(event.target.value))}
            className="max-w-36 text-right tabular-nums"
          />
        )}
      </Field>
    </div>
  );
}
