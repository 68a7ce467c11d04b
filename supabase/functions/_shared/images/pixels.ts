/** A picture's pixels: red, green, blue and alpha, row by row. */
export type Pixels = {
  data: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
};

/**
 * A picture at a whole fraction of its size, each pixel the mean of a square of so many a side. It needs no memory but that of its
 * result, whereas the resizer holds the whole picture four times over.
 */
export function averaged(picture: Pixels, side: number): Pixels {
  if (side <= 1) return picture;
  const width = Math.ceil(picture.width / side);
  const height = Math.ceil(picture.height / side);
  const data = new Uint8ClampedArray(width * height * 4);
  const sums = new Float64Array(width * 4);
  for (let y = 0; y < height; y += 1) {
    sums.fill(0);
    const rows = Math.min(side, picture.height - y * side);
    for (let row = 0; row < rows; row += 1) addRow(sums, picture, y * side + row, side);
    for (let x = 0; x < width; x += 1) {
      const pixels = rows * Math.min(side, picture.width - x * side);
      const alpha = sums[x * 4 + 3] ?? 0;
      const at = (y * width + x) * 4;
      data[at + 3] = alpha / pixels;
      if (alpha === 0) continue;
      // A transparent pixel has a colour as well, which nobody sees.
      for (let channel = 0; channel < 3; channel += 1) {
        data[at + channel] = (sums[x * 4 + channel] ?? 0) / alpha;
      }
    }
  }
  return { data, width, height };
}

/** Adds a row to the sums of its squares: alpha, and each colour as much as it is seen. */
function addRow(sums: Float64Array, { data, width }: Pixels, y: number, side: number): void {
  for (let from = 0, to = 0; from < width; from += side, to += 4) {
    let [red, green, blue, seen] = [0, 0, 0, 0];
    const end = (y * width + Math.min(width, from + side)) * 4;
    for (let at = (y * width + from) * 4; at < end; at += 4) {
      const alpha = data[at + 3] ?? 0;
      red += (data[at] ?? 0) * alpha;
      green += (data[at + 1] ?? 0) * alpha;
      blue += (data[at + 2] ?? 0) * alpha;
      seen += alpha;
    }
    sums[to] = (sums[to] ?? 0) + red;
    sums[to + 1] = (sums[to + 1] ?? 0) + green;
    sums[to + 2] = (sums[to + 2] ?? 0) + blue;
    sums[to + 3] = (sums[to + 3] ?? 0) + seen;
  }
}

/** Whether a picture has more colours than a number. */
export function hasMoreColors({ data }: Pixels, most: number): boolean {
  const colors = new Set<number>();
  const words = new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
  for (const color of words) {
    colors.add(color);
    if (colors.size > most) return true;
  }
  return false;
}
