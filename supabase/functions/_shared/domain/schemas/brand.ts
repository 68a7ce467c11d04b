import * as z from "zod/mini";

/** A merchant's own logo and colour, in the product's place: what pages need to show them. */

/** Bucket of the platform's storage with the files of logos, which are public. */
export const LOGO_BUCKET = "logos";

const logo = z.object({
  /** Within the bucket: for pages, and larger for paper. */
  path: z.string(),
  print_path: z.string(),
  /** Size of the one for pages, in pixels: twice what it is shown at, at most. */
  width: z.int(),
  height: z.int(),
});
export type Logo = z.infer<typeof logo>;

/** Answer of `private.brand`; a colour is `#rrggbb`. */
export const brand = z.object({ color: z.nullable(z.string()), logo: z.nullable(logo) });
export type Brand = z.infer<typeof brand>;
