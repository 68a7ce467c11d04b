import { unnamedCopy } from "./customers.copy.ts";
import { useMay } from "./use-may.ts";

/** What to call a customer: by the name that the platform gave, else by why there is none. */
export function useCustomerName(): (name: string | null) => string {
  const isNamed = useMay().may("customers.read");
  return (name) => name ?? (isNamed ? unnamedCopy.anonymous : unnamedCopy.hidden);
}
