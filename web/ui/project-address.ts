import { LOGO_BUCKET } from "#domain/schemas/brand.ts";

/**
 * Origin of the platform (functions, files): empty where the page comes from it, else what `npm run site` has written
 * into the document for a static host.
 */
export function projectUrl(): string {
  return globalThis.document?.documentElement.dataset.project ?? "";
}

/** Address of a logo's file. */
export function logoAddress(path: string): string {
  return `${projectUrl()}/storage/v1/object/public/${LOGO_BUCKET}/${path}`;
}
