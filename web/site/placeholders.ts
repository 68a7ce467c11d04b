import type { Operator } from "#domain/schemas/operator.ts";

/*
 * The build renders pages before their operator and address are known. What depends on that is a place, which
 * `server/web/fill-page.ts` fills when the server starts.
 */

/** The operator: every entry is a placeholder. */
export const operatorPlaces: Operator = {
  company: "{{company}}",
  address: "{{address}}",
  registration: "{{registration}}",
  director: "{{director}}",
  host: "{{host}}",
  contact_email: "{{contact_email}}",
  dpo_email: "{{dpo_email}}",
  demo_url: "{{demo_url}}",
};

/** Origin of this deployment, in addresses that must be whole. */
export const ORIGIN_PLACE = "{{origin}}";

/** The demo's journey, or the wheel to try. */
export const DEMO_HREF_PLACE = "{{demo_href}}";

/** The demo's wheel, prerendered with its own segments. */
export const DEMO_WHEEL_PLACE = "{{html:demo_wheel}}";

/** Configuration of this deployment for the browser, as JSON. */
export const SITE_DATA_PLACE = "{{html:site_data}}";

/** The landing page's claims, where there are any. */
export const CLAIMS_PLACE = "{{html:claims}}";

/** The rules of the demo's game. */
export const DEMO_RULES_PLACE = "{{demo_rules}}";
