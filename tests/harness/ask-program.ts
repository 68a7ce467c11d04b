import { execFile } from "node:child_process";
import { once } from "node:events";

/**
 * Output of a program that gets a file on its standard input, such as those of Debian's poppler-utils and zbar-tools. Null
 * where it is missing, which it says.
 */
export async function askProgram(
  program: string,
  options: readonly string[],
  file: Uint8Array,
): Promise<Buffer | null> {
  const child = execFile(program, options, { encoding: "buffer", maxBuffer: 1 << 26 });
  const parts: Uint8Array[] = [];
  child.stdout?.on("data", (part: Uint8Array) => parts.push(part));
  child.stdin?.on("error", () => {});
  child.stdin?.end(file);
  const isThere = await once(child, "close").then(
    () => true,
    () => false,
  );
  if (isThere) return Buffer.concat(parts);
  process.stdout.write(`Something was not checked, for want of ${program}.\n`);
  return null;
}

/** Words of a PDF, as another program finds them, with plain spaces between them; null without pdftotext. */
export async function wordsOf(pdf: Uint8Array): Promise<string | null> {
  const text = await askProgram("pdftotext", ["-layout", "-", "-"], pdf);
  return text?.toString().replaceAll(/\s+/g, " ") ?? null;
}
