import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type Identifier,
  isAsExpression,
  isBindingElement,
  isElementAccessExpression,
  isIdentifier,
  isMethodDeclaration,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isSatisfiesExpression,
  isStringLiteral,
  isVariableStatement,
  type Node,
} from "typescript/unstable/ast";
import { API, type Project, type Symbol as TypeSymbol } from "typescript/unstable/sync";
import { expect, it } from "vitest";
import { ROOT } from "../../server/root.ts";

/** Translated texts that no code mentions, by what the compiler knows: a name that other objects have as well is no mention. */

const FOLDER = fileURLToPath(ROOT);

/** The text that a node names. */
type Text = { name: Identifier; place: string };

/** Names of an object's properties, and of the objects in it. */
function namesIn(value: Node, place: string): Text[] {
  if (isAsExpression(value) || isSatisfiesExpression(value))
    return namesIn(value.expression, place);
  if (!isObjectLiteralExpression(value)) return [];
  return value.properties.flatMap((property) => {
    const isText = isPropertyAssignment(property) || isMethodDeclaration(property);
    if (!isText || !isIdentifier(property.name)) return [];
    const text = { name: property.name, place: `${place}.${property.name.text}` };
    return isPropertyAssignment(property)
      ? [text, ...namesIn(property.initializer, text.place)]
      : [text];
  });
}

/** Where a symbol is declared; a translation's symbols are those of the French texts, of whose type it is. */
function declarationsOf(symbol: TypeSymbol | undefined): string[] {
  return (symbol?.declarations ?? []).map(({ path, index }) => `${path} ${index}`);
}

/** Every node below one, itself included. */
function nodesBelow(node: Node): Node[] {
  const found = [node];
  node.forEachChild((child) => {
    found.push(...nodesBelow(child));
  });
  return found;
}

/** All that is mentioned in a file, whole groups where one of them is chosen by a value. */
function mentionedIn(
  { program, checker }: Project,
  file: string,
  names: ReadonlySet<string>,
): string[] {
  const source = program.getSourceFile(file);
  const nodes = source ? nodesBelow(source) : [];
  const named = nodes.filter((node) => isIdentifier(node) && names.has(node.text));
  const chosen = nodes.flatMap((node) =>
    isElementAccessExpression(node) && !isStringLiteral(node.argumentExpression)
      ? [node.expression]
      : [],
  );
  const taken = nodes.flatMap((node) => {
    if (!isBindingElement(node)) return [];
    const name = node.propertyName ?? node.name;
    if (!name || !isIdentifier(name) || !names.has(name.text)) return [];
    const of = checker.getTypeAtLocation(node.parent);
    return of ? [checker.getPropertyOfType(of, name.text)] : [];
  });
  const symbols = named.length > 0 ? checker.getSymbolAtLocation(named) : [];
  const types = chosen.length > 0 ? checker.getTypeAtLocation(chosen) : [];
  const groups = types.flatMap((type) => (type ? checker.getPropertiesOfType(type) : []));
  return [...symbols, ...taken, ...groups].flatMap(declarationsOf);
}

it("every translated text is mentioned by the code that shows it", () => {
  const api = new API({ cwd: FOLDER });
  const [project] = api.updateSnapshot({ openProjects: [`${FOLDER}tsconfig.json`] }).getProjects();
  if (!project) throw new Error("No project.");
  const { program, checker } = project;
  const files = program.getSourceFileNames().filter((name) => !name.includes("/node_modules/"));
  const isTranslated = (file: string) =>
    // Texts of mails are looked for in the mails themselves (`translations.test.ts`).
    /(?<!customer-mails)\.copy\.ts$/.test(file) && existsSync(file.replace(/ts$/, "en.ts"));
  const texts = files
    .filter(isTranslated)
    .flatMap((file) =>
      (program.getSourceFile(file)?.statements ?? []).flatMap((statement) =>
        isVariableStatement(statement) && statement.modifiers
          ? statement.declarationList.declarations.flatMap(({ name, initializer }) =>
              initializer && isIdentifier(name)
                ? namesIn(initializer, `${file.slice(FOLDER.length)} ${name.text}`)
                : [],
            )
          : [],
      ),
    );
  expect(texts.length).toBeGreaterThan(300);
  const names = new Set(texts.map(({ name }) => name.text));
  const readers = files.filter(
    (file) =>
      /\/(web|supabase|server)\//.test(file) && !/\.(test|copy|copy\.[a-z]{2})\.tsx?$/.test(file),
  );
  const mentioned = new Set(readers.flatMap((file) => mentionedIn(project, file, names)));
  const symbols = checker.getSymbolAtLocation(texts.map(({ name }) => name));
  const unused = texts.filter(
    (_, index) => !declarationsOf(symbols[index]).some((declaration) => mentioned.has(declaration)),
  );
  api.close();
  expect(unused.map(({ place }) => place)).toEqual([]);
});
