import * as z from "zod/mini";
import { ADDRESS_MAX_LENGTH, NAME_MAX_LENGTH } from "#domain/rules/constants.ts";
import { isPlaceId } from "#domain/rules/place-id.ts";
import {
  confirmationOf,
  REVIEW_URL_MAX_LENGTH,
  reviewLinkProblem,
} from "#domain/rules/review-links.ts";
import { reviewMode } from "#domain/rules/review-mode.ts";
import type { StoreRow } from "#domain/schemas/stores.ts";
import { seenText } from "#domain/text/seen-text.ts";
import { isSlug } from "#domain/text/slugify.ts";
import { reviewLinkFieldCopy } from "../../../ui/forms/review-link-field.copy.ts";
import { slugFieldCopy } from "../../../ui/forms/slug-field.copy.ts";
import { storeFormCopy } from "./store-form.copy.ts";

const { rules } = storeFormCopy;

function required(sentence: string, max: number) {
  return z
    .string()
    .check(z.overwrite(seenText), z.minLength(1, sentence), z.maxLength(max, rules.tooLong));
}

const link = {
  url: z.string().check(z.trim(), z.maxLength(REVIEW_URL_MAX_LENGTH, rules.tooLong)),
  /** Host that was confirmed because it is no known platform; empty without. */
  confirmedHost: z.string(),
};

type Link = { url: string; confirmedHost: string };

/** Rules of a link that differs from the stored one. */
function linkRules(kept: string | null) {
  return [
    z.refine<Link>((form) => reviewLinkProblem(form, kept) !== "malformed", {
      error: reviewLinkFieldCopy.malformed,
      path: ["url"],
    }),
    z.refine<Link>((form) => reviewLinkProblem(form, kept) !== "unconfirmed", {
      error: reviewLinkFieldCopy.unconfirmed,
      path: ["confirmedHost"],
    }),
  ] as const;
}

const storeFields = z.object({
  name: required(rules.name, NAME_MAX_LENGTH),
  slug: z.string().check(
    z.trim(),
    z.minLength(1, rules.slug),
    z.refine((text) => text === "" || isSlug(text), slugFieldCopy.malformed),
  ),
  address: required(rules.address, ADDRESS_MAX_LENGTH),
  ...link,
  mode: reviewMode,
});
export type StoreForm = z.infer<typeof storeFields>;

/** All that a new store is asked, beside the link that it has. */
export const storeForm = (kept: string | null = null) => storeFields.check(...linkRules(kept));

/** Whether what names a store, or says where it is, is still blank (specification, section 5). */
export function isIncomplete({ name, address }: Pick<StoreForm, "name" | "address">): boolean {
  return seenText(name) === "" || seenText(address) === "";
}

/** Fields that decide how a store works. */
const settingsFields = z.object({
  ...link,
  mode: reviewMode,
  timezone: z.string(),
  placeId: z.string().check(
    z.trim(),
    z.refine((text) => text === "" || isPlaceId(text), rules.placeId),
  ),
});
export type SettingsForm = z.infer<typeof settingsFields>;

/** Schema of the settings of a store that has this link. */
export const settingsForm = (kept: string | null) => settingsFields.check(...linkRules(kept));

export const BLANK: StoreForm = {
  name: "",
  slug: "",
  address: "",
  url: "",
  confirmedHost: "",
  mode: "compliant",
};

/** The link of a store that exists. */
export function linkOf({
  google_review_url: url,
  review_host_confirmed: host,
}: Pick<StoreRow, "google_review_url" | "review_host_confirmed">): Link {
  return { url: url ?? "", confirmedHost: host ?? "" };
}

/** The form of a store that exists. */
export function toForm(store: StoreRow): StoreForm {
  const { name, slug, address, review_mode } = store;
  return { name, slug, address, ...linkOf(store), mode: review_mode };
}

/** Columns that a form may write. */
export type StoreWrite = Partial<
  Pick<
    StoreRow,
    | "name"
    | "slug"
    | "address"
    | "timezone"
    | "google_place_id"
    | "google_review_url"
    | "review_host_confirmed"
    | "review_mode"
  >
>;

/** The page of its identity. */
export function identityWrite({ name, slug, address }: StoreForm): StoreWrite {
  return { name, slug, address };
}

/** The page of its settings. */
export function settingsWrite(form: SettingsForm): StoreWrite {
  const { url, mode, timezone, placeId } = form;
  return {
    google_place_id: placeId || null,
    google_review_url: url || null,
    review_host_confirmed: confirmationOf(form),
    review_mode: mode,
    timezone,
  };
}
