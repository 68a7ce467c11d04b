import { tabMemory, UNSAVED_KEY } from "../device-memory.ts";
import { type FormValues, isSame } from "./unsaved-input.ts";

/** Kept part of a form: the changed fields, as they were saved and as they were typed. */
type KeptForm = { form: string; saved: FormValues; typed: FormValues };

function isRecord(value: unknown): value is FormValues {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Read by hand: the schema library's records would weigh on every screen of the back-office. */
function parseLine(line: string): KeptForm {
  const kept: unknown = JSON.parse(line);
  if (isRecord(kept)) {
    const { form, saved, typed } = kept;
    if (typeof form === "string" && isRecord(saved) && isRecord(typed))
      return { form, saved, typed };
  }
  throw new SyntaxError("no form");
}

/** Removes a form's saved input from the tab: the form has it again. */
export function takeFound(form: string): KeptForm | null {
  const [owner = "", ...lines] = (tabMemory.read(UNSAVED_KEY) ?? "").split("\n");
  try {
    const kept = lines.map(parseLine);
    const others = lines.filter((_, index) => kept[index]?.form !== form);
    tabMemory.write(UNSAVED_KEY, others.length > 0 ? [owner, ...others].join("\n") : "");
    return kept.find((one) => one.form === form) ?? null;
  } catch {
    // Written by another release.
    tabMemory.write(UNSAVED_KEY, "");
    return null;
  }
}

/** Whether a value has the shape of another, so that a form of a newer release is not given an older one's. */
function isLike<T>(value: unknown, model: T): value is T {
  if (Array.isArray(model)) {
    return Array.isArray(value) && value.every((item) => isLike(item, model[0] ?? model));
  }
  if (typeof model === "object" && model !== null) {
    return (
      isRecord(value) && Object.entries(model).every(([name, part]) => isLike(value[name], part))
    );
  }
  // A choice that may be left open is null until it is made.
  if (model === null || model === undefined) return typeof value !== "object" || value === null;
  return typeof value === typeof model || value === null;
}

/** The values of a form with what was kept of it; null when they do not fit it. */
export function withFound<T extends FormValues>(present: T, { typed }: KeptForm): T | null {
  const merged: unknown = { ...present, ...typed };
  return isLike(merged, present) ? merged : null;
}

/** Whether a field that was typed into was saved otherwise meanwhile. */
export function isOutdated(present: FormValues, { saved }: KeptForm): boolean {
  return Object.keys(saved).some((name) => !isSame(present[name], saved[name]));
}
