import type { PublicFigures } from "../domain/schemas/public-rating.ts";

/** Where the rating of a public page comes from, by the identifier of its place. Fails with `RatingSourceError`. */
export type PublicRatingSource = (placeId: string) => Promise<PublicFigures>;

/** The source did not answer, or not with figures. */
export class RatingSourceError extends Error {
  override readonly name = "RatingSourceError";
  readonly code: string;
  /** The place is not known there: another one would be. */
  readonly isOfPlace: boolean;

  constructor(
    code: string,
    { isOfPlace = false, cause }: { isOfPlace?: boolean; cause?: unknown } = {},
  ) {
    super(code, { cause });
    this.code = code;
    this.isOfPlace = isOfPlace;
  }
}
