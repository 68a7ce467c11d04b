import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { ensureChromium } from "../tests/harness/chromium.ts";
import { exampleSegments } from "../web/features/marketing/landing/example-segments.copy.ts";
import { landingCopy } from "../web/features/marketing/landing/landing.copy.ts";
import { RestingPointer } from "../web/ui/wheel/resting-pointer.tsx";
import { WheelFace } from "../web/ui/wheel/wheel-face.tsx";
import { WHEEL_VIEW } from "../web/ui/wheel/wheel-geometry.ts";
import { WheelHub } from "../web/ui/wheel/wheel-hub.tsx";
import { Wordmark } from "../web/ui/wordmark.tsx";

/**
 * `npm run pictures`: the icons and the picture for those who share a link, drawn from the brand's own parts, and the
 * landing page's pictures, cut from docs/screens (`npm run screens` takes those).
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PUBLIC = join(ROOT, "web", "public");
const FACES = join(ROOT, "node_modules", "@fontsource-variable");

/** Icons: file, side in pixels, and how much of it the drawing takes (maskable ones are cut by the system). */
const ICONS: readonly (readonly [name: string, side: number, share: number, square: boolean])[] = [
  ["favicon-32.png", 32, 1, false],
  ["apple-touch-icon.png", 180, 1, true],
  ["icon-192.png", 192, 1, false],
  ["icon-512.png", 512, 1, false],
  ["icon-maskable-512.png", 512, 0.82, true],
];

/** Pictures of the product: from, part of it (in its own pixels), width and quality of what is made. */
const CUTS = [
  { name: "form", from: "phone-1-form.webp", height: 975, width: 320, quality: 0.72 },
  { name: "stars", from: "phone-2-stars.webp", height: 975, width: 320, quality: 0.72 },
  { name: "win", from: "phone-5-win.webp", height: 975, width: 320, quality: 0.72 },
  {
    name: "dashboard",
    from: "office-computer-light-figures.webp",
    height: 800,
    width: 960,
    quality: 0.72,
  },
] as const;

const browser = await chromium.launch({ executablePath: ensureChromium() });
try {
  await mkdir(join(PUBLIC, "icons"), { recursive: true });
  await mkdir(join(PUBLIC, "product"), { recursive: true });
  await drawIcons(browser);
  await drawSocial(browser);
  await cutScreens(browser);
} finally {
  await browser.close();
}

async function drawIcons(browser: Browser): Promise<void> {
  const svg = await readFile(join(PUBLIC, "favicon.svg"), "utf8");
  for (const [name, side, share, square] of ICONS) {
    const page = await browser.newPage({ viewport: { width: side, height: side } });
    const drawing = square ? svg.replace(/rx="\d+"/, 'rx="0"') : svg;
    await page.setContent(
      `<style>body{margin:0;display:grid;place-items:center;height:100vh;background:${square ? "#fbfaf7" : "transparent"}}svg{width:${share * 100}%;display:block}</style>${drawing}`,
    );
    await page.screenshot({ path: join(PUBLIC, "icons", name), omitBackground: !square });
    await page.close();
    process.stdout.write(`icons/${name}\n`);
  }
}

/** 1200 × 630: the promise at the left, the wheel at the right, running out of the picture. */
async function drawSocial(browser: Browser): Promise<void> {
  const face = async (path: string) => (await readFile(join(FACES, path))).toString("base64");
  const display = await face(
    "bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2",
  );
  const text = await face("figtree/files/figtree-latin-wght-normal.woff2");
  const wheel = renderToStaticMarkup(
    createElement(
      "svg",
      { viewBox: WHEEL_VIEW },
      createElement(
        "g",
        { transform: "rotate(24)" },
        createElement(WheelFace, { segments: exampleSegments }),
      ),
      createElement(WheelHub, { mark: "T" }),
      createElement(RestingPointer),
    ),
  );
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.setContent(`<!doctype html><style>
@font-face{font-family:Display;font-weight:200 800;src:url(data:font/woff2;base64,${display})}
@font-face{font-family:Text;font-weight:300 900;src:url(data:font/woff2;base64,${text})}
body{margin:0;width:1200px;height:630px;overflow:hidden;position:relative;background:#f3edfe;color:#1e1b2e;font-family:Text}
.fill-ink{fill:#1e1b2e}.fill-surface{fill:#fff}.stroke-surface{stroke:#fff}.fill-sun-soft{fill:#fef3dc}.fill-violet{fill:#7c3aed}
.fill-sun{fill:#f59e0b}.fill-mint{fill:#10b981}.fill-sky{fill:#06b6d4}.fill-rose{fill:#ec4899}.fill-coral{fill:#ef4444}
main{position:absolute;left:76px;top:72px;width:560px}
h1{font:700 76px/1 Display;letter-spacing:-.015em;margin:64px 0 0}
p{font-size:30px;line-height:1.4;margin:28px 0 0;color:#5f5a72}
.mark{height:62px;width:auto;display:block}
.wheel{position:absolute;right:-92px;top:-18px;width:666px}
</style><main>${renderToStaticMarkup(createElement(Wordmark, { className: "mark" }))}<h1>${landingCopy.hero.title}</h1><p>${landingCopy.hero.trial}</p></main><div class="wheel">${wheel}</div>`);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.screenshot({ path: join(PUBLIC, "social.jpg"), type: "jpeg", quality: 86 });
  await page.close();
  process.stdout.write("social.jpg\n");
}

async function cutScreens(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  for (const { name, from, height, width, quality } of CUTS) {
    const source = (await readFile(join(ROOT, "docs", "screens", from))).toString("base64");
    const picture = await page.evaluate(
      async (cut) => {
        const image = new Image();
        image.src = `data:image/webp;base64,${cut.source}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        canvas.width = cut.width;
        canvas.height = Math.round((cut.height / image.width) * cut.width);
        const context = canvas.getContext("2d");
        if (!context) throw new Error("no canvas");
        context.imageSmoothingQuality = "high";
        context.drawImage(image, 0, 0, image.width, cut.height, 0, 0, canvas.width, canvas.height);
        return canvas.toDataURL("image/webp", cut.quality);
      },
      { source, height, width, quality },
    );
    const bytes = Buffer.from(picture.slice(picture.indexOf(",") + 1), "base64");
    await writeFile(join(PUBLIC, "product", `${name}.webp`), bytes);
    process.stdout.write(`product/${name}.webp ${bytes.length}\n`);
  }
}
