import { describe, expect, it } from "vitest";
import { ChromiumMissing, findChromium, findShell } from "./chromium.ts";

/** A machine on which only the named programs start. */
function machine(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, programs: string[]) {
  return { env, platform, starts: (program: string) => programs.includes(program) };
}

describe("finding a browser", () => {
  it("takes CHROME_PATH before anything on the PATH", () => {
    const env = { PATH: "/usr/bin", CHROME_PATH: "/opt/mine" };
    expect(findChromium(machine("linux", env, ["/usr/bin/chromium", "/opt/mine"]))).toBe(
      "/opt/mine",
    );
  });

  it("refuses a CHROME_PATH that does not start, and says what to do", () => {
    const env = { PATH: "/usr/bin", CHROME_PATH: "/opt/nowhere" };
    expect(() => findChromium(machine("linux", env, ["/usr/bin/chromium"]))).toThrowError(
      new ChromiumMissing(
        "CHROME_PATH is /opt/nowhere, which does not start. Install Chromium or Google Chrome, or set CHROME_PATH to its program.",
      ),
    );
  });

  it("passes over a launcher that does not work", () => {
    const env = { PATH: "/snap/bin:/usr/bin", CHROME_PATH: "" };
    expect(findChromium(machine("linux", env, ["/usr/bin/google-chrome"]))).toBe(
      "/usr/bin/google-chrome",
    );
  });

  it("knows the folders of macOS", () => {
    const program = "/Users/ana/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
    expect(findChromium(machine("darwin", { HOME: "/Users/ana" }, [program]))).toBe(program);
  });

  it("knows the folders of Windows", () => {
    const isChrome = (program: string) => /Google.Chrome.Application.chrome\.exe$/.test(program);
    const env = { LOCALAPPDATA: "C:\\Users\\ana\\AppData\\Local" };
    expect(findChromium({ env, platform: "win32", starts: isChrome })).toMatch(/^C:\\Users\\ana/);
  });

  it("answers nothing when nothing starts", () => {
    expect(findChromium(machine("linux", { PATH: "/usr/bin" }, []))).toBeUndefined();
  });
});

describe("the lighter build", () => {
  const programs = ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell"];

  it("is taken where it is there", () => {
    expect(findShell(machine("linux", { PATH: "/bin:/usr/bin" }, programs))).toBe(programs[1]);
    expect(findShell(machine("linux", { PATH: "/usr/bin" }, ["/usr/bin/chromium"]))).toBe(
      undefined,
    );
  });

  it("gives way to the browser that somebody means", () => {
    const env = { PATH: "/usr/bin", CHROME_PATH: "/usr/bin/chromium" };
    expect(findShell(machine("linux", env, programs))).toBe(undefined);
  });
});
