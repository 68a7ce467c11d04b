import { stat } from "node:fs/promises";
import type { Plugin } from "vite";

/** A module of texts in the language of the sources. */
const TEXTS = /\.copy\.ts$/;

/** Builds pages in another language: each `x.copy.ts` gives way to `x.copy.en.ts`. Missing ones stop the build. */
export function textsIn(language: string): Plugin {
  return {
    name: "texts-in-language",
    enforce: "pre",
    resolveId: {
      filter: { id: TEXTS },
      async handler(source, importer) {
        const found = await this.resolve(source, importer, { skipSelf: true });
        if (!found) return null;
        const id = found.id.replace(TEXTS, `.copy.${language}.ts`);
        const isThere = await stat(id).catch(() => null);
        if (isThere === null) throw new Error(`${found.id} has no translation: ${language}`);
        return { ...found, id };
      },
    },
  };
}

/** Leaves out style sheets: every language uses those of the first. */
export const withoutStyles: Plugin = {
  name: "without-styles",
  apply: "build",
  enforce: "pre",
  load: { filter: { id: /\.css$/ }, handler: () => "" },
};
