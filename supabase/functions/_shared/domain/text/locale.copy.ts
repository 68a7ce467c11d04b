/** How French texts write days, hours and figures. */
export const locale = "fr-FR";

export { firstOfMonth as dayWritten } from "./first-of-month.ts";

/** An hour as the locale gives it, « 14:05 », becomes « 14 h 05 ». */
export const hourWritten = (time: string) => time.replace(":", "\u00a0h\u00a0");

/** A figure with its sign: « 33,33 % ». */
export const percentWritten = (figure: string) => `${figure}\u00a0%`;
