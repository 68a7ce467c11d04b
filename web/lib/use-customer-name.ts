import { unnamedCopy } from "./customers.copy.ts";
import { useMay } from "./use-may.ts";

/** Name of a customer: the one that the platform gave, else the reason why there is none. */
export function useCustomerName(): (name: string | null) => string {
  const isNamed = useMay().may("customers.read");
  return (name) => name ?? (isNamed ? unnamedCopy.anonymous : unnamedCopy.hidden);
}
