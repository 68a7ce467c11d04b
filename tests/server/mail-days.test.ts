import { expect, it } from "vitest";
import * as french from "../../supabase/functions/_shared/domain/text/locale.copy.ts";
import { dayInMail, periodInMail } from "../../supabase/functions/_shared/messages/mail-days.ts";

const NOW = new Date("2026-11-26T11:00:00Z");
const day = (date: string, timezone = "Europe/Paris") => ({
  at: `${date}T20:59:59+00:00`,
  timezone,
});
const written = (date: string, timezone?: string) => dayInMail(day(date, timezone), NOW, french);
const period = (from: string, to: string) =>
  periodInMail({ from: day(from), to: day(to) }, NOW, french);

it("a day has its year where another than the nearest is meant", () => {
  expect(written("2026-12-21")).toBe("lundi 21 décembre");
  expect(written("2026-01-05")).toBe("lundi 5 janvier");
  expect(written("2027-01-21")).toBe("jeudi 21 janvier");
  expect(written("2027-11-01")).toBe("lundi 1er novembre");
  expect(written("2027-12-21")).toBe("mardi 21 décembre 2027");
  expect(written("2025-12-01")).toBe("lundi 1er décembre 2025");
});

it("a day is that of the clocks there", () => {
  expect(written("2026-12-21", "Indian/Reunion")).toBe("mardi 22 décembre");
  expect(written("2026-12-21", "America/Cayenne")).toBe("lundi 21 décembre");
});

it("a period says its month once, and both where there are two", () => {
  expect(period("2026-11-16", "2026-11-22")).toEqual({
    from: "lundi 16",
    to: "dimanche 22 novembre",
  });
  expect(period("2026-06-01", "2026-06-07")).toEqual({ from: "lundi 1er", to: "dimanche 7 juin" });
  expect(period("2025-06-02", "2025-06-08")).toEqual({
    from: "lundi 2",
    to: "dimanche 8 juin 2025",
  });
  expect(period("2026-12-28", "2027-01-03")).toEqual({
    from: "lundi 28 décembre",
    to: "dimanche 3 janvier",
  });
});
