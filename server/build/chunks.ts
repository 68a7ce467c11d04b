import type { Plugin } from "vite";

/** Part of the bundler's module graph that the rules ask. */
type Graph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/** A module with all that loads along with it. What it imports dynamically loads later. */
export type Reach = (module: string) => ReadonlySet<string>;

/** Whether a module goes into the file that the rule is for. */
export type ChunkRule = (module: string, reach: Reach) => boolean;

/**
 * Groups for the bundler's `codeSplitting`: one file a rule. A module goes into the file of the first rule that takes it,
 * without its imports, which the rules are asked for one by one. The rest is left to the bundler.
 */
export function chunksByRule(rules: Readonly<Record<string, ChunkRule>>) {
  const imports = new Map<string, readonly string[]>();
  const reached = new Map<string, ReadonlySet<string>>();
  const reachIn =
    (graph: Graph): Reach =>
    (module) => {
      const known = reached.get(module);
      if (known) return known;
      const found = new Set<string>([module]);
      // A set lists what is added to it while it is walked through.
      for (const id of found) {
        const next = imports.get(id) ?? graph.getModuleInfo(id)?.importedIds ?? [];
        imports.set(id, next);
        for (const imported of next) found.add(imported);
      }
      reached.set(module, found);
      return found;
    };
  return Object.entries(rules).map(([file, rule]) => ({
    name: (id: string, graph: Graph) => (rule(id, reachIn(graph)) ? file : null),
    includeDependenciesRecursively: false,
  }));
}

/** File of an icon in `lucide-react`: `trash-2` for `Trash2`. A name without a file stops the build. */
const iconFile = (icon: string) => icon.replace(/(?<=[a-z])(?=[A-Z\d])/g, "-").toLowerCase();

/**
 * Imports icons from their own files. Through the library's index, which imports all of them, each screen would reach
 * each icon, and no rule could tell which screens share one.
 */
export const iconsByFile: Plugin = {
  name: "icons-by-file",
  apply: "build",
  enforce: "post",
  transform: {
    filter: { code: /from "lucide-react"/ },
    handler: (code) => ({
      code: code.replace(/import \{([^}]*)\} from "lucide-react";/g, (_, names: string) =>
        names
          .split(",")
          .map((name) => {
            const [icon = "", local = icon] = name.trim().split(" as ");
            return `import ${local} from "lucide-react/icons/${iconFile(icon)}";`;
          })
          .join(""),
      ),
      map: null,
    }),
  },
};
