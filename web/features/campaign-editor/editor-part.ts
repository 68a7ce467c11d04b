import * as z from "zod/mini";

/** Part of a campaign's form that has a tab of its own; the other stays as it was typed. */
export const editorPart = z.enum(["wheel", "settings"]);
export type EditorPart = z.infer<typeof editorPart>;
