import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { welcome } from "../../server/start/welcome.ts";

const SCALE = 4;

beforeAll(async () => {
  const reader = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
  const wasmBinary = await readFile(join(dirname(reader), "zxing_reader.wasm"));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasmBinary).buffer } });
});

const server = {
  publicUrl: "https://avis.exemple.fr",
  port: 3000,
  dataFolder: "/srv/data",
  movedFrom: null,
  demo: {
    email: "demo@tournavis.fr",
    slug: "demo",
    password: "abcd-efgh-jkmn",
    isPasswordGiven: false,
  },
};
const local = { host: "127.0.0.1", publicUrl: null, isProduction: false, mail: null };

/** Reading of a phone off the terminal: half blocks are light, the rest is dark. */
async function scan(text: string): Promise<string | undefined> {
  const lines = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
    .replaceAll(/\x1b\[[\d;]*m/g, "")
    .split("\n")
    .filter((line) => /^ {2}[█▀▄ ]+$/.test(line) && line.trim() !== "")
    .map((line) => line.slice(2));
  const width = Math.max(...lines.map((line) => line.length));
  const image = {
    width: width * SCALE,
    height: lines.length * 2 * SCALE,
    data: new Uint8ClampedArray(width * SCALE * lines.length * 2 * SCALE * 4).fill(255),
    colorSpace: "srgb" as const,
  };
  for (let y = 0; y < image.height; y += 1) {
    for (let x = 0; x < image.width; x += 1) {
      const row = Math.floor(y / SCALE);
      const block = lines[Math.floor(row / 2)]?.[Math.floor(x / SCALE)] ?? " ";
      const isLight = block === "█" || block === (row % 2 === 0 ? "▀" : "▄");
      if (!isLight) image.data.fill(0, (y * image.width + x) * 4, (y * image.width + x) * 4 + 3);
    }
  }
  return (await readBarcodes(image, { formats: ["QRCodeModel2"] }))[0]?.text;
}

describe("welcome", () => {
  it.each([[true], [false]])("draws a code that a phone reads (colours: %s)", async (colours) => {
    const text = welcome(local, server, { colours });
    expect(await scan(text)).toBe("https://avis.exemple.fr/c/demo");
  });

  it("shows the password to this machine only", () => {
    expect(welcome(local, server, { colours: false })).toContain("abcd-efgh-jkmn");
    for (const open of [
      { ...local, host: "0.0.0.0" },
      { ...local, publicUrl: "https://avis.exemple.fr" },
    ]) {
      const text = welcome(open, server, { colours: false });
      expect(text).not.toContain("abcd-efgh-jkmn");
      expect(text).toContain("/srv/data/secrets/demo-password");
    }
  });

  it("says why there is none to show", () => {
    const without = (isPasswordGiven: boolean) => ({
      ...server,
      demo: { ...server.demo, password: null, isPasswordGiven },
    });
    expect(welcome(local, without(true), { colours: false })).toContain("DEMO_PASSWORD");
    expect(welcome(local, without(false), { colours: false })).toContain("Mot de passe oublié");
  });

  it("says where mails are when nothing sends them", () => {
    const address = "http://localhost:3000/_dev/mailbox";
    expect(welcome(local, server, { colours: false })).toContain(address);
    const mail = { smtpUrl: "smtp://courrier.exemple.fr", from: "bonjour@exemple.fr" };
    for (const other of [
      { ...local, mail },
      { ...local, isProduction: true },
    ]) {
      expect(welcome(other, server, { colours: false })).not.toContain("_dev");
    }
  });

  it("says nothing of a demo where there is none, and where the data went", () => {
    const text = welcome(
      local,
      { ...server, demo: null, movedFrom: "/root/tournavis/data" },
      { colours: false },
    );
    expect(text).not.toContain("demo");
    expect(text).toContain("/root/tournavis/data");
    expect(text).toContain("/srv/data");
  });
});
