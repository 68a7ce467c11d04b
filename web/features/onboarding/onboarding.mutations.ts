import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { confirmationOf } from "#domain/rules/review-links.ts";
import { created } from "#domain/schemas/back-office.ts";
import { newId } from "#domain/text/new-id.ts";
import { useApp } from "../../lib/app-context.ts";
import { AppError, dataError, NETWORK, NO_DATA } from "../../lib/app-error.ts";
import { saveWithSlug } from "../../lib/slugs/save-with-slug.ts";
import type { Supabase } from "../../lib/supabase.ts";
import { onboardingCopy } from "./onboarding.copy.ts";
import type { OrganizationForm, StoreForm } from "./onboarding.schema.ts";

/** Whether the slug was not edited by hand. */
type Suggested = { isSuggested: boolean };

/** Time zone of a new store; null for the one that the database gives it. */
type Timezone = { timezone: string | null };

/** Identifier of a new store, chosen here: a second try with it makes no second store. */
type OwnId = { id: string };

/** The workspace is fetched again after each step: all guards start from it. */
function useForgetWorkspace(): () => void {
  const queryClient = useQueryClient();
  return () => {
    queryClient.removeQueries({ queryKey: ["workspace"] });
    queryClient.removeQueries({ queryKey: ["stores"] });
    queryClient.removeQueries({ queryKey: ["dashboard"] });
  };
}

/** Step 1: organisation, owner and free trial at once. */
export function useCreateOrganization() {
  const { supabase } = useApp();
  const forget = useForgetWorkspace();
  return useMutation({
    mutationFn: ({ name, slug, isSuggested }: OrganizationForm & Suggested) =>
      saveWithSlug(supabase, { kind: "organization", slug, isSuggested }, async (next) => {
        const answer = await supabase.rpc("create_organization", { p_name: name, p_slug: next });
        if (answer.error) throw dataError(answer);
        if (!created.safeParse(answer.data).success) throw new AppError(NO_DATA);
      }),
    onSettled: forget,
  });
}

/** Step 2: the store; with an identifier, the one of an earlier visit is corrected, as is one whose answer was lost. */
export function useSaveStore(storeId: string | null) {
  const { supabase } = useApp();
  const forget = useForgetWorkspace();
  const [id] = useState(newId);
  return useMutation({
    mutationFn: ({ isSuggested, ...store }: StoreForm & Suggested & Timezone) =>
      saveWithSlug(supabase, { kind: "store", slug: store.slug, isSuggested }, (slug) =>
        storeId
          ? correctStore(supabase, storeId, { ...store, slug })
          : createStore(supabase, { ...store, id, slug }),
      ),
    onSettled: forget,
  });
}

async function createStore(supabase: Supabase, store: StoreForm & Timezone & OwnId): Promise<void> {
  const confirmed = confirmationOf({ url: store.reviewUrl, confirmedHost: store.confirmedHost });
  const answer = await supabase.rpc("create_store", {
    p_id: store.id,
    p_name: store.name,
    p_slug: store.slug,
    p_address: store.address,
    p_google_review_url: store.reviewUrl,
    p_review_mode: store.reviewMode,
    ...(confirmed && { p_review_host_confirmed: confirmed }),
    ...(store.timezone && { p_timezone: store.timezone }),
  });
  if (answer.error) throw dataError(answer);
  if (!created.safeParse(answer.data).success) throw new AppError(NO_DATA);
}

async function correctStore(supabase: Supabase, id: string, store: StoreForm): Promise<void> {
  const answer = await supabase
    .from("stores")
    .update({
      name: store.name,
      slug: store.slug,
      address: store.address,
      google_review_url: store.reviewUrl || null,
      review_host_confirmed: confirmationOf({
        url: store.reviewUrl,
        confirmedHost: store.confirmedHost,
      }),
      review_mode: store.reviewMode,
    })
    .eq("id", id)
    .select("id")
    .single();
  if (answer.error) throw dataError(answer);
}

const { reasons } = onboardingCopy;

/** Five characters of the database: its own name of an error. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** In the place of the raw message that the specification shows: what a person can do about it. */
function reasonOf(code: string): string {
  if (code === NETWORK) return reasons.network;
  if (code === "TV003") return reasons.limit;
  if (code === "TV170") return reasons.link;
  if (code === "forbidden") return reasons.forbidden;
  return code === "23514" || code === "23502" || code === "22001"
    ? reasons.malformed
    : reasons.other;
}

/** Why no organisation was made (specification, section 8). */
export function organizationFailure(error: unknown): string {
  const copy = onboardingCopy.organization.failed;
  const code = error instanceof AppError ? error.code : "";
  switch (code) {
    case "23505":
      return copy.taken;
    case "forbidden":
      return copy.forbidden;
    case NO_DATA:
      return copy.noData;
    case "TV021":
      return copy.member(reasons.other);
    case "TV022":
      return copy.subscription(reasons.other);
    case NETWORK:
      return copy.database(reasons.network);
  }
  return SQLSTATE.test(code) ? copy.database(reasonOf(code)) : copy.fallback;
}

/** Why no store was made or changed (specification, section 8). */
export function storeFailure(error: unknown): string {
  const copy = onboardingCopy.store.failed;
  const code = error instanceof AppError ? error.code : "";
  if (code === "23505") return copy.taken;
  if (code === "TV023") return copy.noOrganization;
  if (code === "TV050") return copy.organization(reasons.other);
  const isKnown = code === NETWORK || code === "forbidden" || SQLSTATE.test(code);
  return isKnown ? copy.other(reasonOf(code)) : copy.fallback;
}
