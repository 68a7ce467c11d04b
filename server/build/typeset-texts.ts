import { type ESTree, type Plugin, parseSync, Visitor } from "vite";
import {
  FIRST_LANGUAGE,
  LANGUAGES,
} from "../../supabase/functions/_shared/domain/text/languages.ts";
import { typeset } from "../../supabase/functions/_shared/domain/text/typeset.ts";

/** Signs of which a text must hold one for anything to be set: most modules have none. */
const HAS_SIGN = /(?<=\p{L}\\?)'|(?:[ \u00a0]|\\u00a0|\\xa0)[?!;%»:€]|«[ \u00a0\\]/iu;

/** Sources of the pages, and of the domain that they share with the server. */
export const PAGES = /\/(?:web|_shared\/domain)\/(?!.*\.test\.)[^?]*\.tsx?(?:\?|$)/;

type Handlers = ConstructorParameters<typeof Visitor>[0];

type Change = { start: number; end: number; written: string };

/**
 * Sets the texts of these modules as their language does (`typeset`): sources have the spaces and apostrophes of a
 * keyboard. What a tag reads (`sql`) is no text for people.
 */
export function typesetTexts(files: RegExp): Plugin {
  return {
    name: "typeset-texts",
    transform: {
      filter: { id: files, code: HAS_SIGN },
      handler: (code, id) => ({ code: setModule(code, id.replace(/\?.*$/, "")), map: null }),
    },
  };
}

/** A module with its texts set. Its lines stay where they were. */
export function setModule(code: string, file: string): string {
  const set = (text: string) => typeset(text, languageOf(file));
  const changes: Change[] = [];
  const tagged = new Set<ESTree.TemplateElement>();
  const change = ({ start, end }: { start: number; end: number }, written: string) => {
    changes.push({ start, end, written });
  };
  const setLiteral: Handlers["Literal"] = (node) => {
    if ("regex" in node) {
      const pattern = setPattern(node.regex.pattern, set);
      if (pattern !== node.regex.pattern) change(node, `/${pattern}/${node.regex.flags}`);
    } else if (typeof node.value === "string" && set(node.value) !== node.value) {
      change(node, JSON.stringify(set(node.value)));
    }
  };
  const setPart: Handlers["TemplateElement"] = (node) => {
    const { raw, cooked } = node.value;
    if (tagged.has(node) || cooked === null || set(cooked) === cooked) return;
    const start = code.indexOf(raw, node.start);
    change({ start, end: start + raw.length }, set(cooked).replace(/[`\\]|\$\{/g, "\\$&"));
  };
  const noteTagged: Handlers["TaggedTemplateExpression"] = ({ quasi }) => {
    for (const element of quasi.quasis) tagged.add(element);
  };
  const visitor = new Visitor({
    Literal: setLiteral,
    TaggedTemplateExpression: noteTagged,
    TemplateElement: setPart,
  });
  visitor.visit(parseSync(file, code, { lang: "tsx" }).program);
  const [written, end] = changes
    .sort((one, other) => one.start - other.start)
    .reduce<[string, number]>(
      ([done, from], { start, end, written }) => [done + code.slice(from, start) + written, end],
      ["", 0],
    );
  return written + code.slice(end);
}

/**
 * Sets a pattern so that it still finds its text where a page's spaces are read as one kind. A
 * space that may be missing stays.
 */
function setPattern(pattern: string, set: (text: string) => string): string {
  return pattern
    .split(/( \?)/)
    .map((part, index) => (index % 2 === 1 ? part : set(part)))
    .join("")
    .replace(/[\u00a0\u202f]| (?=\\\?)/g, "\\s");
}

const TRANSLATION = new RegExp(`\\.copy\\.(?<language>${LANGUAGES.join("|")})\\.ts$`);

function languageOf(file: string) {
  const named = TRANSLATION.exec(file)?.groups?.language;
  return LANGUAGES.find((language) => language === named) ?? FIRST_LANGUAGE;
}
