import * as z from "zod/mini";
import { periodFigures } from "./back-office.ts";

/** Figures of a public page on a day. */
const publicFigures = z.object({ day: z.iso.date(), rating: z.number(), reviews: z.number() });

/** Report of a month: an answer of the SQL function `monthly_report`, and part of the mail. */
export const monthlyReport = z.object({
  organization: z.string(),
  /** Its first day. */
  month: z.iso.date(),
  /** Those that the dashboard shows of the same days. */
  figures: periodFigures,
  /** Up to 3 stores: what their public pages showed last in the month, and last before it. */
  public_pages: z.array(
    z.object({ name: z.string(), at: publicFigures, before: z.nullable(publicFigures) }),
  ),
});
export type MonthlyReport = z.infer<typeof monthlyReport>;

/** Body of `monthly-report`: the month by its first day. PostgreSQL knows no year 0. */
export const monthlyReportRequest = z.strictObject({
  org_id: z.guid(),
  month: z.iso.date().check(z.endsWith("-01"), z.regex(/^(?!0000)/)),
});
