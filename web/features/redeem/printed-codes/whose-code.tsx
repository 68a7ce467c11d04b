import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { closedCampaign } from "#domain/schemas/closed-campaign.ts";
import { publicOrganization } from "#domain/schemas/public-organization.ts";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage, functionError } from "../../../lib/app-error.ts";
import type { PrintedCode } from "./printed-code.ts";
import { whoseCodeCopy as copy } from "./whose-code.copy.ts";

/** Public facts of a campaign, open or closed. */
const publicFacts = z.pick(closedCampaign, {
  slug: true,
  name: true,
  store: true,
  organization: true,
});

type Supabase = ReturnType<typeof useApp>["supabase"];

/**
 * Query of a campaign's public facts, by its present or a former slug; null where there is none.
 */
function publicFactsQuery(supabase: Supabase, slug: string | null) {
  return queryOptions({
    queryKey: ["printed-code", slug],
    enabled: slug !== null,
    staleTime: 60_000,
    queryFn: async () => {
      for (const path of [`campaign?slug=${slug}`, `campaign?slug=${slug}&closed`]) {
        const { data, error } = await supabase.functions.invoke(path, { method: "GET" });
        if (!error) return publicFacts.parse(data);
        const failure = await functionError(error);
        if (failure.code !== "campaign_not_found") throw failure;
      }
      return null;
    },
  });
}

/** Name of an organisation, by the slug of its public page; null where there is none. */
function organizationNameQuery(supabase: Supabase, slug: string | null) {
  return queryOptions({
    queryKey: ["printed-code", "organization", slug],
    enabled: slug !== null,
    staleTime: 60_000,
    queryFn: async () => {
      const path = `campaign?organization=${slug}`;
      const { data, error } = await supabase.functions.invoke(path, { method: "GET" });
      if (!error) return publicOrganization.parse(data).name;
      const failure = await functionError(error);
      if (failure.code === "not_found") return null;
      throw failure;
    },
  });
}

type WhoseCodeProps = {
  code: PrintedCode;
  /** Slug of the organisation whose till reads the code; undefined outside of a till. */
  mine?: string | undefined;
};

/** In a sentence what a scanned code is, and whose: of others nothing but what their public page says. */
export function WhoseCode({ code, mine }: WhoseCodeProps) {
  const { supabase } = useApp();
  const facts = useQuery(publicFactsQuery(supabase, code.kind === "campaign" ? code.slug : null));
  const name = useQuery(
    organizationNameQuery(supabase, code.kind === "organization" ? code.slug : null),
  );
  switch (code.kind) {
    case "elsewhere":
      return copy.elsewhere(code.host);
    case "page":
      return copy.page;
    case "prize":
      return copy.anybody.prize;
    case "other":
      return mine === undefined ? copy.anybody.other : copy.notACode;
    case "organization":
      if (mine === code.slug) return copy.mine.organization;
      if (name.isPending) return copy.asking;
      if (name.isError) return errorMessage(name.error, copy.problems);
      if (name.data === null) return copy.gone;
      return mine === undefined
        ? copy.anybody.organization(name.data)
        : copy.others.organization(name.data);
    case "campaign": {
      if (facts.isPending) return copy.asking;
      if (facts.isError) return errorMessage(facts.error, copy.problems);
      if (facts.data === null) return copy.gone;
      const { name, store, organization } = facts.data;
      if (mine === undefined) return copy.anybody.campaign(name, store.name);
      return mine === organization.slug
        ? copy.mine.campaign(name)
        : copy.others.campaign(store.name);
    }
  }
}
