import { formatNumber } from "../../lib/format.ts";
import { Choice } from "../forms/choice.tsx";

type ArchiveChoiceProps = {
  copy: { which: string; inUse: string; putAway: (count: string) => string };
  /** How many are put away; undefined until the list is there. */
  archived: number | undefined;
  isArchived: boolean;
  onChange: (isArchived: boolean) => void;
};

/** Choice between the things in use and those put away, where there are any. */
export function ArchiveChoice({ copy, archived, isArchived, onChange }: ArchiveChoiceProps) {
  if (archived === undefined || (archived === 0 && !isArchived)) return null;
  return (
    <Choice
      label={copy.which}
      options={[
        { name: "in-use", label: copy.inUse },
        { name: "archived", label: copy.putAway(formatNumber(archived)) },
      ]}
      current={isArchived ? "archived" : "in-use"}
      onChange={(name) => onChange(name === "archived")}
    />
  );
}
