import type { AuthDeps, AuthSettings } from "../deps.ts";
import { invalid } from "../errors.ts";

/** Providers that the hosted platform knows and this product does not offer. */
export const OTHER_PROVIDERS = [
  "apple",
  "azure",
  "bitbucket",
  "discord",
  "facebook",
  "snapchat",
  "figma",
  "fly",
  "github",
  "gitlab",
  "keycloak",
  "kakao",
  "linkedin",
  "linkedin_oidc",
  "notion",
  "spotify",
  "slack",
  "slack_oidc",
  "workos",
  "twitch",
  "twitter",
  "x",
  "zoom",
] as const;

/** The one provider that can be switched on. */
export const GOOGLE = "google";

/** Credentials that an operator got from Google. */
export type GoogleSettings = NonNullable<AuthSettings["google"]>;

/** The settings of a provider that a call names; refuses one that is not switched on, or not known. */
export function requireProvider(
  { settings }: Pick<AuthDeps, "settings">,
  name: string,
): GoogleSettings {
  const wanted = name.toLowerCase();
  if (wanted === GOOGLE && settings.google !== null) return settings.google;
  const isKnown = wanted === GOOGLE || OTHER_PROVIDERS.some((provider) => provider === wanted);
  const reason = isKnown ? "provider is not enabled" : `Provider ${wanted} could not be found`;
  throw invalid(`Unsupported provider: ${reason}`);
}
