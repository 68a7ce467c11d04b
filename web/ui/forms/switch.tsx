type SwitchProps = {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Shows the label's text too. */
  hasText?: boolean;
  describedBy?: string | undefined;
};

/** On or off, at once. */
export function Switch({ label, checked, onChange, hasText = false, describedBy }: SwitchProps) {
  return (
    <label className="inline-flex min-h-11 cursor-pointer items-center gap-3">
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        aria-describedby={describedBy}
        checked={checked}
        aria-checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="peer sr-only"
      />
      <span
        aria-hidden="true"
        className="relative h-7 w-12 shrink-0 rounded-full bg-field transition-colors duration-150 after:absolute after:top-1 after:left-1 after:size-5 after:rounded-full after:bg-surface after:transition-transform after:duration-150 peer-checked:bg-violet peer-checked:after:translate-x-5 peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-violet"
      />
      {hasText && <span className="font-semibold">{label}</span>}
    </label>
  );
}
