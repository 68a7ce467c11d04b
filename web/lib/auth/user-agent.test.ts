import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deviceName } from "./device-name.ts";
import { readUserAgent } from "./user-agent.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

describe("a device", () => {
  it.each([
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36`,
      "computer",
      "Chrome sur Windows",
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`,
      "computer",
      "Edge sur Windows",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Safari/605.1.15",
      "computer",
      "Safari sur Mac",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1",
      "phone",
      "Safari sur iPhone",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/143.0.0.0 Mobile/15E148 Safari/604.1",
      "phone",
      "Chrome sur iPhone",
    ],
    [
      "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1",
      "tablet",
      "Safari sur iPad",
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; Pixel 7) ${WEBKIT} Chrome/143.0.0.0 Mobile Safari/537.36`,
      "phone",
      "Chrome sur Android",
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; SM-X710) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Safari/537.36`,
      "tablet",
      "Samsung Internet sur Android",
    ],
    [
      "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
      "computer",
      "Firefox sur Linux",
    ],
    [
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36`,
      "computer",
      "Chrome sur ChromeOS",
    ],
    ["Mozilla/5.0 (Windows NT 10.0)", "computer", "Appareil sous Windows"],
    ["Firefox/145.0", "unknown", "Firefox"],
    ["curl/8.9.1", "unknown", "Appareil inconnu"],
    ["", "unknown", "Appareil inconnu"],
    [null, "unknown", "Appareil inconnu"],
  ])("%s", (userAgent, kind, name) => {
    const device = readUserAgent(userAgent);
    expect([device.kind, deviceName(device)]).toEqual([kind, name]);
  });

  it("has a name, whatever it says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
        expect(deviceName(readUserAgent(text))).toMatch(/\S/);
      }),
    );
  });
});
