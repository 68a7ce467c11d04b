import { deviceNameCopy as copy } from "./device-name.copy.ts";
import type { Device } from "./user-agent.ts";

/** A device in the words of a person: « Chrome sur Android ». */
export function deviceName({ browser, system }: Device): string {
  const { on, under, unknown } = copy;
  if (browser && system) return on(browser, system);
  if (system) return under(system);
  return browser ?? unknown;
}
