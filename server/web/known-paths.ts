import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Which addresses the application has pages for. */
type KnownPaths = (path: string) => boolean;

/** Where the router's plugin writes the route tree that it has made of `web/routes`. */
const ROUTE_TREE = join("web", "route-tree.gen.ts");

/** The list of full addresses in that tree, and one of its lines. */
const LIST = /export interface FileRoutesByFullPath \{\n([^}]*)\}/;
const LINE = /^ {2}'([^']+)':/gm;

/** Templates of the application's addresses, as the router knows them. */
export async function readRoutes(root: string): Promise<string[]> {
  const [, list = ""] = LIST.exec(await readFile(join(root, ROUTE_TREE), "utf8")) ?? [];
  const routes = Array.from(list.matchAll(LINE), ([, route = ""]) => route);
  if (routes.length === 0) throw new Error(`no routes in ${ROUTE_TREE}`);
  return routes;
}

/** Judges addresses by their templates as the router does: a last slash and the case of letters make no difference. */
export function knownPaths(routes: readonly string[]): KnownPaths {
  const shapes = routes.map((route) => {
    const segments = route.split("/").filter((segment) => segment !== "");
    const pattern = segments.map((segment) =>
      segment.startsWith("$") ? "/[^/]+" : `/${segment.replace(/[^\w-]/g, "\\$&")}`,
    );
    return new RegExp(`^${pattern.join("")}/?$`, "i");
  });
  return (path) => shapes.some((shape) => shape.test(path));
}
