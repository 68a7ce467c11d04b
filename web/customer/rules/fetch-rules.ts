import { type RulesPage, rulesPage } from "#domain/schemas/campaign-rules.ts";
import { projectUrl } from "../../ui/project-address.ts";

/** Reads the rules of a draw in a static deployment; null where there is no such campaign. Throws where that is unknown. */
export async function fetchRules(slug: string, version: string | null): Promise<RulesPage | null> {
  const query = new URLSearchParams({ slug, ...(version !== null && { version }) });
  const response = await fetch(`${projectUrl()}/functions/v1/campaign_rules?${query}`);
  if (response.status >= 500) throw new Error(`campaign_rules: ${response.status}`);
  return response.ok ? rulesPage.parse(await response.json()) : null;
}
