import { expect, it } from "vitest";
import { officeErrorCopy } from "#domain/errors/office-errors.copy.ts";
import { POINTS_CODE_DAYS, PRESENCE_STEP_S } from "#domain/rules/constants.ts";
import { EXPORT_AFTER_END_DAYS, PAYMENT_NOTICE_DAYS } from "#domain/rules/retention.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/text/durations.ts";
import { FLOW_MS } from "../../server/auth/oauth/flow.ts";
import { CHOICE_LIFE_S } from "../../server/web/language.ts";
import { DEVICE_LIFE_MS } from "../../web/customer/memory/identifiers.ts";
import { PLAYED_LIFE_MS } from "../../web/customer/memory/played-memory.ts";
import { AFTERLIFE_MS, ENDLESS_LIFE_MS } from "../../web/customer/memory/prize-memory.ts";
import { JOURNEY_LIFE_MS } from "../../web/customer/memory/storage.ts";
import { pointsCopy as pointsDe } from "../../web/customer/points/points.copy.de.ts";
import { pointsCopy as pointsEn } from "../../web/customer/points/points.copy.en.ts";
import { pointsCopy as pointsEs } from "../../web/customer/points/points.copy.es.ts";
import { pointsCopy as pointsIt } from "../../web/customer/points/points.copy.it.ts";
import { pointsCopy as pointsNl } from "../../web/customer/points/points.copy.nl.ts";
import { pointsCopy as points } from "../../web/customer/points/points.copy.ts";
import { presenceCopy as presenceDe } from "../../web/customer/presence/presence.copy.de.ts";
import { presenceCopy as presenceEn } from "../../web/customer/presence/presence.copy.en.ts";
import { presenceCopy as presenceEs } from "../../web/customer/presence/presence.copy.es.ts";
import { presenceCopy as presenceIt } from "../../web/customer/presence/presence.copy.it.ts";
import { presenceCopy as presenceNl } from "../../web/customer/presence/presence.copy.nl.ts";
import { presenceCopy as presence } from "../../web/customer/presence/presence.copy.ts";
import { PRIVACY_DAYS } from "../../web/features/marketing/legal/kept-times.ts";
import { endingCopy } from "../../web/features/shell/ending-banner.copy.ts";
import { planBannerCopy } from "../../web/features/shell/plan-banner.copy.ts";

it("the page about cookies says how long the code keeps what it names", () => {
  expect(PRIVACY_DAYS).toEqual({
    linkingMinutes: FLOW_MS / MINUTE_MS,
    language: (CHOICE_LIFE_S * 1000) / DAY_MS,
    device: DEVICE_LIFE_MS / DAY_MS,
    journeyHours: JOURNEY_LIFE_MS / HOUR_MS,
    played: PLAYED_LIFE_MS / DAY_MS,
    prizeAfterlife: AFTERLIFE_MS / DAY_MS,
    endlessPrize: ENDLESS_LIFE_MS / DAY_MS,
  });
});

it("texts that say a number themselves say that of the code", () => {
  const inPoints = [points, pointsDe, pointsEn, pointsEs, pointsIt, pointsNl];
  for (const { consequence } of inPoints) expect(consequence).toContain(` ${POINTS_CODE_DAYS} `);
  const inPresence = [presence, presenceDe, presenceEn, presenceEs, presenceIt, presenceNl];
  for (const { kinds } of inPresence) expect(kinds.turning.hint).toContain(` ${PRESENCE_STEP_S} `);
  expect(endingCopy.tooLate).toContain(` ${EXPORT_AFTER_END_DAYS} jours`);
  expect(planBannerCopy.pastDue(null)).toContain(` ${PAYMENT_NOTICE_DAYS} jours`);
  expect(officeErrorCopy.reading_closed).toContain(` ${EXPORT_AFTER_END_DAYS} jours`);
});
