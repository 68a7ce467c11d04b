import { readFile } from "node:fs/promises";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import type { Mutant } from "./mutant.ts";

/** Source in which every mutant of a file sleeps until its number is called. */
export type Instrumented = {
  file: string;
  code: string;
  /** Numbers of its mutants, in their order. */
  ids: readonly string[];
};

const silent = () => {};
const no = () => false;
const LOGGER = {
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
};

/** Words are compared letter for letter elsewhere, and names that nothing reads are no faults. */
const LEFT_OUT = ["StringLiteral"];

/** Every mutant of TypeScript sources, and the code that has them all (StrykerJS, mutant switching). */
export async function typescriptMutants(
  root: URL,
  files: readonly string[],
): Promise<{ mutants: Mutant[]; instrumented: Instrumented[] }> {
  const sources = await Promise.all(
    files.map(async (name) => ({
      name,
      content: await readFile(new URL(name, root), "utf8"),
      mutate: true,
    })),
  );
  const { files: outcome, mutants } = await new Instrumenter(LOGGER).instrument(sources, {
    plugins: null,
    ignorers: [],
    excludedMutations: LEFT_OUT,
  });
  const contents = new Map(sources.map(({ name, content }) => [name, content.split("\n")]));
  return {
    mutants: mutants
      .filter(({ status }) => status !== "Ignored")
      .map(({ id, fileName, location, mutatorName, replacement }) => {
        const lines = contents.get(fileName) ?? [];
        return {
          file: fileName,
          line: location.start.line + 1,
          where: declarationAt(lines, location.start.line),
          mutator: mutatorName,
          original: textBetween(lines, location),
          replacement,
          plant: { id },
        };
      }),
    instrumented: outcome.map(({ name, content }) => ({
      file: name,
      code: content,
      ids: mutants.filter(({ fileName }) => fileName === name).map(({ id }) => id),
    })),
  };
}

type Place = { line: number; column: number };

function textBetween(lines: readonly string[], { start, end }: { start: Place; end: Place }) {
  const touched = lines.slice(start.line, end.line + 1);
  const text = touched.join("\n");
  const last = touched.at(-1) ?? "";
  return text.slice(start.column, text.length - (last.length - end.column));
}

const DECLARATION = /^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class) (\w+)/;

/** Name of the declaration of a file that a line lies in: in formatted code it begins its line. */
function declarationAt(lines: readonly string[], line: number): string {
  for (let at = line; at >= 0; at -= 1) {
    const [, name] = DECLARATION.exec(lines[at] ?? "") ?? [];
    if (name !== undefined) return name;
  }
  return "";
}
