import { SOURCE_QR } from "#domain/rules/constants.ts";

/** Where the printed QR code of a campaign leads: a visit through it counts as a scan. */
export function qrLink(slug: string): string {
  return `${window.location.origin}/c/${slug}/play?source=${SOURCE_QR}`;
}

/** The same page to try out: a turn without consequence. */
export function testPath(slug: string): string {
  return `/c/${slug}/play`;
}

/** Address of the rules of the draw, as people read and type it: without what every browser adds by itself. */
export function rulesAddress(slug: string): string {
  return `${window.location.host}/c/${slug}/reglement`;
}
