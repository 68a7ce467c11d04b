import { generate } from "lean-qr";

const WIDTH = 640;
const HEIGHT = 480;
/** Pixels of one module of the code, and of a hand's breadth around it. */
const MODULE = 12;

const WHITE = 235;
const BLACK = 16;
const GREY = 128;

/** Micro QR code (M2, error correction L) of « 619131 »: readers see such codes now and then in a corner of a larger one. */
const MICRO = [
  "#######.#.#.#",
  "#.....#...##.",
  "#.###.#.#####",
  "#.###.#.#....",
  "#.###.#.###.#",
  "#.....#..##.#",
  "#######.##..#",
  ".........###.",
  "##.#.#.####..",
  "..#..####.#..",
  "###...#.###.#",
  ".###.#...####",
  "####...#...##",
];
const MICRO_MODULE = 6;
const MICRO_MARGIN = 24;

function drawMicro(luma: Buffer): void {
  for (let y = 0; y < MICRO.length * MICRO_MODULE; y += 1) {
    for (let x = 0; x < MICRO.length * MICRO_MODULE; x += 1) {
      if (MICRO[Math.floor(y / MICRO_MODULE)]?.[Math.floor(x / MICRO_MODULE)] !== "#") continue;
      luma[(MICRO_MARGIN + y) * WIDTH + MICRO_MARGIN + x] = BLACK;
    }
  }
}

/**
 * A film that shows a text as a QR code, in the format (Y4M) that Chromium takes for a camera: beside a micro code, which is
 * none of ours.
 */
export function qrVideo(text: string): Buffer {
  const code = generate(text);
  const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE);
  const left = Math.floor((WIDTH - code.size * MODULE) / 2);
  const top = Math.floor((HEIGHT - code.size * MODULE) / 2);
  for (let y = 0; y < code.size * MODULE; y += 1) {
    for (let x = 0; x < code.size * MODULE; x += 1) {
      if (!code.get(Math.floor(x / MODULE), Math.floor(y / MODULE))) continue;
      luma[(top + y) * WIDTH + left + x] = BLACK;
    }
  }
  drawMicro(luma);
  const chroma = Buffer.alloc((WIDTH * HEIGHT) / 2, GREY);
  const frame = Buffer.concat([Buffer.from("FRAME\n"), luma, chroma]);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  return Buffer.concat([header, frame, frame]);
}
