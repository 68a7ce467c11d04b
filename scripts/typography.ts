import { readdir, readFile } from "node:fs/promises";
import { parseSync, Visitor } from "vite";
import { FIRST_LANGUAGE, LANGUAGES } from "#domain/text/languages.ts";
import { ROOT } from "../server/root.ts";
import { joinsName, problemIn } from "./typography/problems.ts";

/**
 * Part of `npm run lint`: what is wrong with the texts that people read, and that no step mends. Spaces before signs and
 * apostrophes are set when the pages are built (`server/build/typeset-texts.ts`).
 */

const FOLDERS = ["web", "supabase/functions", "server"];

/** Files of texts, and those whose markup may hold one. */
const TEXTS = /\.copy(?:\.(?<language>[a-z]{2}))?\.ts$/;
const MARKUP = /(?<!\.test)\.tsx$/;

/** Sentences that stay as somebody agreed to them: the rules (decision 032) and the consent (`consentWordings`). */
const AGREED_FILE = "web/customer/rules/rules.copy.ts";
const AGREED_WORDS = "de recevoir les offres de {organizer}";

type Handlers = ConstructorParameters<typeof Visitor>[0];

async function problemsOf(file: string): Promise<string[]> {
  const code = await readFile(new URL(file, ROOT), "utf8");
  const named = TEXTS.exec(file)?.groups?.language;
  const language = LANGUAGES.find((one) => one === named) ?? FIRST_LANGUAGE;
  const found: string[] = [];
  const report = (problem: string | null, text: string, start: number) => {
    const line = code.slice(0, start).split("\n").length;
    if (problem !== null) found.push(`${file}:${line}: ${problem}: ${text.trim()}`);
  };
  const see = (text: string, start: number) => report(problemIn(text, language), text, start);
  const seeNames = (text: string, start: number) => {
    const isAgreed = file === AGREED_FILE || text.includes(AGREED_WORDS);
    const joins = language === FIRST_LANGUAGE && !isAgreed && joinsName(text);
    report(joins ? "an article may meet a name" : null, text, start);
  };
  const seeLiteral: Handlers["Literal"] = ({ value, start }) => {
    if (typeof value !== "string" || MARKUP.test(file)) return;
    see(value, start);
    seeNames(value.replaceAll(/\{\{ \.Data\.(\w+) \}\}/g, "{$1}"), start);
  };
  const seeTemplate: Handlers["TemplateLiteral"] = ({ quasis, start, end }) => {
    if (quasis.length > 1) seeNames(code.slice(start + 1, end - 1).replaceAll("${", "{"), start);
  };
  const seePart: Handlers["TemplateElement"] = ({ value, start }) => {
    if (!MARKUP.test(file)) see(value.cooked ?? "", start);
  };
  const seeMarkup: Handlers["JSXText"] = ({ value, start }) => {
    see(value.replace(/&\w+;|\s*\n\s*/g, " "), start);
  };
  new Visitor({
    Literal: seeLiteral,
    TemplateElement: seePart,
    TemplateLiteral: seeTemplate,
    JSXText: seeMarkup,
  }).visit(parseSync(file, code).program);
  return found;
}

const names = await Promise.all(
  FOLDERS.map(async (folder) =>
    (await readdir(new URL(folder, ROOT), { recursive: true })).map((name) => `${folder}/${name}`),
  ),
);
const files = names.flat().filter((name) => TEXTS.test(name) || MARKUP.test(name));
const problems = (await Promise.all(files.sort().map(problemsOf))).flat();
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`Checked the texts of ${files.length} files: ${problems.length} problems.\n`);
if (problems.length > 0) process.exitCode = 1;
