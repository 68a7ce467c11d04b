/** The outlines of the brand's marks: on a screen by `Wordmark` and `WheelMark`, on paper by the posters. */

/** « tournavis » without its o, outlined from Bricolage Grotesque (OFL), so that it needs no font. */
export const WORDMARK_LETTERS =
  "M51 132q-18 0-26-9q-8-9-8-29v-46h-15l1-22h7q8 0 12-3q3-3 4-11l2-11h17v24h26v24h-26v43q0 7 4 11q3 3 9 3q4 0 7-1q4-1 6-3v27q-6 2-11 3q-5 0-9 0zM241 133q-18 0-27-13q-9-12-9-38v-57h29v55q0 14 4 21q5 7 13 7q6 0 10-3q4-2 7-7q3-6 4-13q2-7 2-16v-44h29v60v45h-24v-36h-3q-2 14-7 22q-4 9-11 13q-7 4-17 4zM326 130v-52v-53h25v38h3q2-14 5-23q4-9 11-13q6-4 16-4q2 0 5 0q2 0 5 1l-1 32q-3-2-7-2q-4-1-7-1q-7 0-13 3q-5 4-8 11q-3 7-4 17v46zM411 130v-62v-43h24v35h3q2-13 7-21q4-9 12-13q7-4 18-4q17 0 27 13q9 12 9 38v57h-30v-53q0-16-4-23q-5-7-14-7q-7 0-12 5q-5 5-8 13q-3 9-3 21v44zM558 133q-9 0-16-3q-7-4-11-10q-4-7-4-17q0-9 4-15q3-6 10-9q6-4 15-6q9-2 20-4q7-1 12-2q4-1 6-3q2-2 2-6q0-6-4-9q-4-4-13-4q-5 0-10 2q-5 2-8 6q-3 4-4 11l-26-7q1-9 6-16q4-7 11-11q6-4 15-6q8-2 17-2q15 0 25 5q10 5 15 16q5 10 5 26v18q0 7 0 15q0 7 1 14q0 7 0 14h-25q-1-6-1-13q-1-6-1-14h-3q-2 8-7 15q-6 7-13 11q-8 4-18 4zM570 111q4 0 8-1q4-1 8-4q4-3 6-7q3-5 4-10v-13h5q-3 3-8 4q-4 2-9 3q-5 1-10 2q-5 0-9 2q-4 2-6 4q-3 3-3 8q0 6 4 9q4 3 10 3zM667 130l-34-105h32l22 81h2l22-81h31l-35 105zM755 130v-105h29v105zM769 11q-8 0-13-3q-4-4-4-11q0-7 4-10q5-4 13-4q9 0 13 4q5 3 5 11q0 6-5 10q-4 3-13 3zM850 133q-11 0-19-2q-9-2-15-6q-7-4-10-10q-4-6-5-14l24-7q0 5 4 9q3 4 9 6q5 2 14 2q8 0 13-2q5-3 5-8q0-4-3-5q-2-2-7-4q-6-2-13-3q-9-2-16-4q-8-3-14-6q-7-4-10-10q-4-5-4-14q0-10 5-17q5-8 15-12q10-4 25-4q12 0 22 4q10 3 17 10q6 7 7 18l-24 6q-1-5-3-9q-3-3-8-5q-5-2-12-2q-8 0-12 2q-5 3-5 8q0 3 3 6q3 2 9 3q5 2 12 4q8 1 16 3q7 2 14 6q6 3 10 9q3 6 3 15q0 10-5 17q-6 8-16 12q-11 4-26 4z";

/** One segment of the mark, pointing up from the centre, with half a gap on each side. */
export const MARK_SEGMENT = "M-2.9-7.5-12.5-24A27 27 0 0 1 12.5-24L2.9-7.5A8 8 0 0 0-2.9-7.5Z";

/** The pointer above the mark. */
export const MARK_POINTER =
  "M22.9 0h14.2a1.9 1.9 0 0 1 1.5 3L31.5 12a1.9 1.9 0 0 1-3 0L21.4 3a1.9 1.9 0 0 1 1.5-3Z";

/** The six hues of the brand, clockwise from the segment under the pointer: the class on a screen, the colour on paper. */
export const MARK_HUES = [
  { screen: "fill-violet", paper: "#7C3AED" },
  { screen: "fill-sun", paper: "#F59E0B" },
  { screen: "fill-mint", paper: "#10B981" },
  { screen: "fill-sky", paper: "#06B6D4" },
  { screen: "fill-rose", paper: "#EC4899" },
  { screen: "fill-coral", paper: "#EF4444" },
] as const;
