/**
 * A day as people read it: « samedi 12 décembre », « mardi 1er décembre », with its year when that is another one.
 * Part of a pattern: what is due in some days has every form there is, depending on when the tests run.
 */
export const DAY_IN_WORDS =
  "(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) (?:1er|\\d{1,2}) \\p{L}+(?: \\d{4})?";
