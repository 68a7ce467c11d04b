/** A body of the provider's HTTP API: `items[0][price]=…` as nested objects, whose lists have the keys 0, 1 … */
export type Form = { readonly [key: string]: string | Form };

/** Reads a form as the provider does. */
export function readForm(body: string): Form {
  const root: Record<string, string | Form> = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const keys = name.replaceAll("]", "").split("[");
    put(root, keys, value);
  }
  return root;
}

function put(target: Record<string, string | Form>, keys: readonly string[], value: string): void {
  const [key = "", ...rest] = keys;
  // A key that every object inherits is no field of the form.
  if (key === "__proto__") return;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner: Record<string, string | Form> = {};
  const known = Object.hasOwn(target, key) ? target[key] : undefined;
  if (typeof known === "object") Object.assign(inner, known);
  put(inner, rest, value);
  target[key] = inner;
}

/** A text of a form, at a path; null where there is none. */
export function textAt(form: Form, ...path: readonly string[]): string | null {
  let value: string | Form | undefined = form;
  for (const key of path) {
    if (typeof value !== "object" || !Object.hasOwn(value, key)) return null;
    value = value[key];
  }
  return typeof value === "string" && value !== "" ? value : null;
}

/** The texts of a part of a form, by their names. */
export function textsAt(form: Form, key: string): Record<string, string> {
  const part = Object.hasOwn(form, key) ? form[key] : undefined;
  if (typeof part !== "object") return {};
  return Object.fromEntries(
    Object.entries(part).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
}
