import type { ComponentProps } from "react";

type SelectAllBoxProps = Omit<ComponentProps<"input">, "type" | "checked" | "onChange" | "ref"> & {
  /** How many of how many are ticked. */
  selected: number;
  total: number;
  onAll: (isTicked: boolean) => void;
};

/** Ticks all items of a page; between none and all, it says neither. */
export function SelectAllBox({ selected, total, onAll, ...input }: SelectAllBoxProps) {
  const isAll = selected === total;
  return (
    <input
      type="checkbox"
      checked={isAll}
      ref={(box) => {
        if (box) box.indeterminate = selected > 0 && !isAll;
      }}
      onChange={(event) => onAll(event.target.checked)}
      {...input}
    />
  );
}
