/** The part of the package that is used here; it brings no types of its own. */
declare module "subset-font" {
  type Options = {
    targetFormat?: "sfnt" | "woff2";
    /** Features of the layout that stay, by their four letters; all others go. */
    keepFeatures?: readonly string[];
    /** Entries of the table of names that stay beside the usual ones. */
    preserveNameIds?: readonly number[];
    /** Axes of a variable font whose range shrinks, in its own units. */
    variationAxes?: Readonly<Record<string, { min: number; max: number }>>;
  };
  /** Cuts a font down to some letters. */
  export default function subsetFont(
    font: Uint8Array,
    letters: string,
    options: Options,
  ): Promise<Uint8Array>;
}
