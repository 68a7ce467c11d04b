import * as z from "zod/mini";
import { brand } from "./brand.ts";

/** How a merchant's logo and colour are set. */

/** Bucket of uploads that are to become a logo; only the server reads it. */
export const UPLOAD_BUCKET = "logo-uploads";

/** Largest picture that is taken, in bytes. */
export const LOGO_MAX_BYTES = 2 * 1024 * 1024;

/** Largest side of such a picture, in pixels, and most of them in all: what it takes to read one is bounded. */
export const LOGO_MAX_SIDE = 6_000;
export const LOGO_MAX_PIXELS = 12_000_000;

/** Accepted image types. SVG is not one: it can carry scripts, and needs a browser to be rendered. */
export const LOGO_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** Answer of the SQL function `brand_settings`. */
export const brandSettings = z.object({
  organization: z.string(),
  slug: z.string(),
  /** Whether the plan shows the brand to customers. */
  included: z.boolean(),
  brand: z.nullable(brand),
  /** Address of the newest campaign that customers can open; null without one. */
  campaign_slug: z.nullable(z.string()),
});
export type BrandSettings = z.infer<typeof brandSettings>;

/** Body of `brand_logo`: the picture that was uploaded under this name, or null to have no logo any more. */
export const brandLogoRequest = z.strictObject({ org_id: z.guid(), upload: z.nullable(z.guid()) });
