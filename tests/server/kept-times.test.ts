import { expect, it } from "vitest";
import { FLOW_MS } from "../../server/auth/oauth/flow.ts";
import { CHOICE_LIFE_S } from "../../server/web/language.ts";
import { DEVICE_LIFE_MS } from "../../web/customer/memory/identifiers.ts";
import { PLAYED_LIFE_MS } from "../../web/customer/memory/played-memory.ts";
import { AFTERLIFE_MS, ENDLESS_LIFE_MS } from "../../web/customer/memory/prize-memory.ts";
import { JOURNEY_LIFE_MS } from "../../web/customer/memory/storage.ts";
import { PRIVACY_DAYS } from "../../web/features/marketing/legal/kept-times.ts";

it("the page about cookies says how long the code keeps what it names", () => {
  const day = 86_400_000;
  expect(PRIVACY_DAYS).toEqual({
    linkingMinutes: FLOW_MS / 60_000,
    language: (CHOICE_LIFE_S * 1000) / day,
    device: DEVICE_LIFE_MS / day,
    journeyHours: JOURNEY_LIFE_MS / 3_600_000,
    played: PLAYED_LIFE_MS / day,
    prizeAfterlife: AFTERLIFE_MS / day,
    endlessPrize: ENDLESS_LIFE_MS / day,
  });
});
