import * as z from "zod/mini";
import { NAME_MAX_LENGTH } from "#domain/constants.ts";
import { reviewMode } from "#domain/review-mode.ts";
import { isSlug } from "#domain/slugify.ts";
import { isWebAddress, REVIEW_URL_MAX_LENGTH, type StoreRow } from "#domain/stores.ts";
import { slugFieldCopy } from "../../ui/slug-field.copy.ts";
import { storeFormCopy } from "./store-form.copy.ts";
import type { StoreWrite } from "./stores.mutations.ts";

const { rules } = storeFormCopy;

/** As the database bounds it. */
const ADDRESS_MAX_LENGTH = 300;

function required(sentence: string, max: number) {
  return z.string().check(z.trim(), z.minLength(1, sentence), z.maxLength(max, rules.tooLong));
}

const url = z.string().check(
  z.trim(),
  z.maxLength(REVIEW_URL_MAX_LENGTH, rules.tooLong),
  z.refine((text) => text === "" || isWebAddress(text), rules.url),
);

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
  mode: reviewMode,
});
export type StoreForm = z.infer<typeof storeForm>;

/** Whether what names a store, or says where it is, is still blank (specification, section 5). */
export function isIncomplete({ name, address }: Pick<StoreForm, "name" | "address">): boolean {
  return name.trim() === "" || address.trim() === "";
}

/** What decides how a store works. */
export const settingsForm = z.object({ url, mode: reviewMode, timezone: z.string() });
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
