/** Kinds of requests that may be sent twice and take effect once. */
export const KINDS = ["review", "spin", "redemption", "edit"] as const;
export type Kind = (typeof KINDS)[number];

/** Something that must not be. */
export type Finding = {
  /**
   * lost: answered, and not in the database. doubled: there twice, or without anybody's asking. books: figures, stocks or
   * codes that do not agree with the events. answer: an answer that nobody should get. end: a program that exited on its own.
   */
  rule: "lost" | "doubled" | "books" | "answer" | "end";
  kind?: Kind;
  detail: string;
};
