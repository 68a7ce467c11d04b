/**
 * Shape of a translation: the same keys, and functions of the same arguments. A missing or an
 * unknown text is a type error in the translation (`satisfies Wording<typeof french>`).
 */
export type Wording<Texts> = Texts extends string
  ? string
  : Texts extends (...filling: infer Filling) => infer Text
    ? (...filling: Filling) => Wording<Text>
    : Texts extends object
      ? { readonly [Key in keyof Texts]: Wording<Texts[Key]> }
      : Texts;
