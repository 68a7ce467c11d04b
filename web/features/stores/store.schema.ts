import * as z from "zod/mini";
import { NAME_MAX_LENGTH } from "#domain/constants.ts";
import { isSlug } from "#domain/slugify.ts";
import type { StoreRow } from "#domain/stores.ts";
import { slugFieldCopy } from "../../ui/slug-field.copy.ts";
import { storeFormCopy } from "./store-form.copy.ts";
import type { StoreWrite } from "./stores.mutations.ts";

const { rules } = storeFormCopy;

/** As the database bounds them. */
const ADDRESS_MAX_LENGTH = 300;
const URL_MAX_LENGTH = 2000;

function required(sentence: string, max: number) {
  return z.string().check(z.trim(), z.minLength(1, sentence), z.maxLength(max, rules.tooLong));
}

/** Whether a text is an https address with a host; none is fine, too. */
function isSecureAddress(text: string): boolean {
  if (text === "") return true;
  if (/\s/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" && hostname.includes(".");
}

const url = z
  .string()
  .check(
    z.trim(),
    z.maxLength(URL_MAX_LENGTH, rules.tooLong),
    z.refine(isSecureAddress, rules.url),
  );
const mode = z.enum(["compliant", "gating"]);

/** All that a new store is asked. */
export const storeForm = z.object({
  name: required(rules.name, NAME_MAX_LENGTH),
  slug: z.string().check(
    z.trim(),
    z.minLength(1, rules.slug),
    z.refine((text) => text === "" || isSlug(text), slugFieldCopy.malformed),
  ),
  address: required(rules.address, ADDRESS_MAX_LENGTH),
  url,
  mode,
});
export type StoreForm = z.infer<typeof storeForm>;

/** What decides how a store works. */
export const settingsForm = z.object({ url, mode, timezone: z.string() });
export type SettingsForm = z.infer<typeof settingsForm>;

export const BLANK: StoreForm = { name: "", slug: "", address: "", url: "", mode: "compliant" };

/** The form of a store that exists. */
export function toForm(store: StoreRow): StoreForm {
  const { name, slug, address, google_review_url, review_mode } = store;
  return { name, slug, address, url: google_review_url ?? "", mode: review_mode };
}

/** The page of its identity. */
export function identityWrite({ name, slug, address }: StoreForm): StoreWrite {
  return { name, slug, address };
}

/** The page of its settings. */
export function settingsWrite({ url, mode, timezone }: SettingsForm): StoreWrite {
  return { google_review_url: url || null, review_mode: mode, timezone };
}
