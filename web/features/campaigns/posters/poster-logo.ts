import type { Logo } from "#domain/schemas/brand.ts";
import { logoAddress } from "../../../ui/project-address.ts";
import type { Picture } from "./poster-drawing.ts";

/** Fetches a merchant's logo for paper; the printing press knows PNG alone. */
export async function loadPosterLogo({ print_path }: Logo): Promise<Picture> {
  const href = logoAddress(print_path);
  const response = await fetch(href);
  if (!response.ok) throw new Error("The logo is not there.");
  const bitmap = await createImageBitmap(await response.blob());
  const { width, height } = bitmap;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("The logo cannot be drawn.");
  return { png: new Uint8Array(await blob.arrayBuffer()), href, width, height };
}
