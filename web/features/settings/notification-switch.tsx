import { useId } from "react";
import { Switch } from "../../ui/switch.tsx";

type NotificationSwitchProps = {
  label: string;
  hint?: string | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
};

/** Something on or off, with a word about what that means. */
export function NotificationSwitch({ label, hint, checked, onChange }: NotificationSwitchProps) {
  const id = useId();
  return (
    <div className="grid">
      <Switch
        label={label}
        hasText
        checked={checked}
        onChange={onChange}
        describedBy={hint && id}
      />
      {hint && (
        <p id={id} className="pl-15 text-sm wrap-anywhere text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
