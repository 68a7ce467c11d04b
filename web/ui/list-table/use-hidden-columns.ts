import { useState } from "react";
import { columnsKey, deviceMemory } from "../../lib/device-memory.ts";

/** The columns of a list that are hidden on this device, as the table keeps them. */
export function useHiddenColumns(name: string) {
  const key = columnsKey(name);
  const [hidden, setHidden] = useState(
    () => new Set(deviceMemory.read(key)?.split(" ").filter(Boolean)),
  );
  const onVisible = (id: string, isVisible: boolean) => {
    const changed = new Set(hidden);
    if (isVisible) changed.delete(id);
    else changed.add(id);
    setHidden(changed);
    deviceMemory.write(key, [...changed].join(" "));
  };
  const visibility = Object.fromEntries([...hidden].map((id) => [id, false]));
  return { visibility, onVisible };
}
