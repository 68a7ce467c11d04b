import { tabMemory, UNSAVED_KEY, UNSAVED_MS } from "../device-memory.ts";

export type FormValues = Record<string, unknown>;

/** Whether two values of a form read the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Keeps in this tab what was changed in a form, beside what other forms of the page keep. */
export function keepUnsaved(
  userId: string,
  form: string,
  { saved, typed }: { saved: FormValues; typed: FormValues },
): void {
  const names = Object.keys(typed).filter((name) => !isSame(saved[name], typed[name]));
  const pick = (from: FormValues) => Object.fromEntries(names.map((name) => [name, from[name]]));
  const [, ...lines] = (tabMemory.read(UNSAVED_KEY) ?? "").split("\n");
  // An earlier line of this form is outdated: a session can end twice while it stays open.
  const others = lines.filter((line) => !line.startsWith(`{"form":${JSON.stringify(form)},`));
  const own = JSON.stringify({ form, saved: pick(saved), typed: pick(typed) });
  const text = [`${userId} ${Date.now()}`, ...others, own].join("\n");
  tabMemory.write(UNSAVED_KEY, text);
  // Deletion by time: the page may stay open in a forgotten tab.
  setTimeout(() => {
    if (tabMemory.read(UNSAVED_KEY) === text) tabMemory.write(UNSAVED_KEY, "");
  }, UNSAVED_MS);
}

/** Whether something is kept of a form. */
export function hasUnsaved(form: string): boolean {
  return (tabMemory.read(UNSAVED_KEY) ?? "").includes(JSON.stringify(form));
}
