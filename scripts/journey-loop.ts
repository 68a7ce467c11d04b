import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type CDPSession, chromium, type Page } from "playwright-core";
import { readConfig } from "../server/config/config.ts";
import { startServer } from "../server/server.ts";
import { ensureChromium } from "../tests/harness/chromium.ts";

/**
 * `npm run loop`: the landing page's video of a phone and its first picture, filmed in the product itself, from a new demo shop, into
 * web/public/product. Needs `ffmpeg` (Debian: apt-get install ffmpeg) and a build (`npm run build`).
 */

const FOLDER = fileURLToPath(new URL("../web/public/product/", import.meta.url));
const SIZE = { width: 360, height: 720 };

/** Pictures a second, the length that a visitor watches, in seconds, and the most that the file may weigh, in bytes. */
const RATE = 12;
const LENGTH_S = 20;
const MAX_BYTES = 400_000;

/** Target size of the encoder, as a share of the most: it hits no size exactly. */
const SHARE = 0.85;

const run = promisify(execFile);

const home = await mkdtemp(join(tmpdir(), "tournavis-loop-"));
await chmod(home, 0o711);
const server = await startServer(
  readConfig({
    env: { PORT: "0", TOURNAVIS_DATA: home, DEMO_PASSWORD: "mot-de-passe-demo" },
    argv: [],
    cwd: home,
  }),
  { log: Object.assign(() => {}, { flush: () => {} }) },
);
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: ["--disable-gpu", "--lang=fr-FR"],
});
try {
  const page = await browser.newPage({
    viewport: SIZE,
    hasTouch: true,
    locale: "fr-FR",
    baseURL: server.url,
  });
  const camera = await openCamera(page);
  await act(page, camera);
  await develop(await camera.stop());
} finally {
  await browser.close();
  await server.stop();
  await rm(home, { recursive: true, force: true });
}

type Frame = { data: Buffer; at: number };

/** Takes a picture whenever the page has changed; `start` discards them, `stop` returns them. */
async function openCamera(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page);
  let frames: Frame[] = [];
  session.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    frames.push({ data: Buffer.from(data, "base64"), at: metadata.timestamp ?? 0 });
    session.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
  });
  return {
    start: async () => {
      frames = [];
      await session.send("Page.startScreencast", {
        format: "png",
        maxWidth: SIZE.width,
        maxHeight: SIZE.height,
      });
    },
    stop: async () => {
      await session.send("Page.stopScreencast");
      return frames;
    },
  };
}

/** The journey of a customer, at reading pace. */
async function act(page: Page, camera: { start: () => Promise<void> }): Promise<void> {
  const rest = (ms: number) => page.waitForTimeout(ms);
  const type = (name: string, text: string) =>
    page.getByRole("textbox", { name, exact: true }).pressSequentially(text, { delay: 55 });
  await page.goto("/c/demo/review");
  await page.waitForLoadState("networkidle");
  await camera.start();
  await rest(700);
  await type("Prénom", "Marie");
  await type("Nom", "Lefèvre");
  await type("Adresse e-mail", "marie@exemple.fr");
  await rest(300);
  await page.getByRole("button", { name: "Continuer" }).click();
  await page.getByRole("button", { name: "5 sur 5" }).waitFor();
  await rest(900);
  await page.getByRole("button", { name: "5 sur 5" }).click();
  await page.getByRole("link", { name: "Tourner la roue" }).waitFor();
  await rest(1200);
  await page.getByRole("link", { name: "Tourner la roue" }).click();
  await page.getByRole("button", { name: "Lancer la roue" }).waitFor();
  await page.waitForLoadState("networkidle");
  await rest(800);
  // The film ends with a ticket: the first prize that has a code gets all the odds, once the wheel is there with its own.
  await server.adminSql`
    update public.wheel_segments s set weight = case when s.id = (
      select w.id from public.wheel_segments w join public.rewards r on r.id = w.reward_id
      where r.type = 'gift' order by w.position limit 1) then 100 else 0 end`;
  await page.getByRole("button", { name: "Lancer la roue" }).click();
  await page.getByRole("heading", { level: 1, name: "Bravo Marie" }).waitFor();
  await rest(4500);
}

/** Makes the video and its first picture of what was filmed. */
async function develop(frames: readonly Frame[]): Promise<void> {
  const first = frames[0];
  const last = frames.at(-1);
  if (!first || !last) throw new Error("Nothing was filmed.");
  const reel = await mkdtemp(join(tmpdir(), "tournavis-reel-"));
  try {
    const lines: string[] = [];
    for (const [index, { data, at }] of frames.entries()) {
      const name = join(reel, `${String(index).padStart(5, "0")}.png`);
      await writeFile(name, data);
      const next = frames[index + 1]?.at ?? at + 0.5;
      lines.push(`file '${name}'`, `duration ${Math.max(0.001, next - at).toFixed(3)}`);
    }
    await writeFile(join(reel, "list.txt"), lines.join("\n"));
    // A slow machine films a slow journey: the video takes as long as it should.
    const pace = Math.min(1, LENGTH_S / (last.at - first.at + 0.5));
    const even = `setpts=${pace.toFixed(4)}*PTS,fps=${RATE},scale=${SIZE.width}:${SIZE.height}`;
    const list = join(reel, "list.txt");
    await mkdir(FOLDER, { recursive: true });
    const video = join(FOLDER, "journey.webm");
    const input = ["-v", "error", "-y", "-f", "concat", "-safe", "0", "-i", list, "-vf", even];
    // Twice: the first time to learn where the bits are needed, so that the second stays within its size.
    const rate = Math.floor((MAX_BYTES * 8 * SHARE) / LENGTH_S / 1000);
    const film = ["-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-b:v", `${rate}k`, "-an"];
    const pass = ["-passlogfile", join(reel, "pass"), "-deadline", "good", "-cpu-used", "2"];
    await run("ffmpeg", [...input, ...film, ...pass, "-pass", "1", "-f", "null", "/dev/null"]);
    await run("ffmpeg", [...input, ...film, ...pass, "-pass", "2", video]);
    await run("ffmpeg", [
      ...input,
      ...["-frames:v", "1", "-quality", "72", join(FOLDER, "journey.webp")],
    ]);
    const { size } = await stat(video);
    process.stdout.write(`journey.webm: ${size} bytes, ${frames.length} pictures\n`);
    if (size > MAX_BYTES) throw new Error(`The video is larger than ${MAX_BYTES} bytes.`);
  } finally {
    await rm(reel, { recursive: true, force: true });
  }
}
