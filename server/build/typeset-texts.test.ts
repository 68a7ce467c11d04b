import { expect, it } from "vitest";
import { setModule } from "./typeset-texts.ts";

it.each([
  [`const a = "l'été : ?";`, `const a = "l’été\u00a0:\u202f?";`],
  [`const a = 'l\\'été';`, `const a = "l’été";`],
  [`const a = \`l'\${x} ?\\n\\\`\${y} »\`;`, `const a = \`l’\${x}\u202f?\n\\\`\${y}\u202f»\`;`],
  // Code, and what a tag reads, are no sentences.
  ["const a = x ? y : z;", "const a = x ? y : z;"],
  [`sql\`select l'a : b\`;`, `sql\`select l'a : b\`;`],
  [`const a = "flex !mt-2";`, `const a = "flex !mt-2";`],
  // A page's spaces are matched as any space.
  ["const a = /^l'été : \\d+ ?% \\?$/u;", "const a = /^l’été\\s: \\d+ ?%\\s\\?$/u;"],
  [`const a: string = "Retour à l'avis d'hier";`, `const a: string = "Retour à l'avis d’hier";`],
])("%s", (code, set) => {
  expect(setModule(code, "/web/any.copy.ts")).toBe(set);
});

it("a translation is set as its language is", () => {
  const code = `const a = "It's yours : 5 %";`;
  expect(setModule(code, "/web/any.copy.en.ts")).toBe(`const a = "It’s yours : 5 %";`);
});
