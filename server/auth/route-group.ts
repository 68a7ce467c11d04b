import type { Hono } from "hono";
import type { AuthDeps } from "./deps.ts";

/** A group of routes puts itself on the service. */
export type RouteGroup = (app: Hono, deps: AuthDeps) => void;
