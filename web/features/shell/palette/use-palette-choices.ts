import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { useUserId } from "../../../lib/use-session.ts";
import { useSettled } from "../../../lib/use-settled.ts";
import { useWorkspace } from "../../../lib/workspace.ts";
import { findQuery } from "./palette.queries.ts";
import { type ChoiceGroup, foundGroups, pageGroup, recentGroup } from "./palette-choices.ts";
import { readRecent } from "./palette-recent.ts";

/** Short: the answer takes less. */
const PAUSE_MS = 150;

/** What can be chosen for a text, and how far the asking has come. */
export function usePaletteChoices(typed: string) {
  const { supabase } = useApp();
  const userId = useUserId();
  const permissions = useWorkspace()?.permissions ?? [];
  const [recent] = useState(() => readRecent(userId));
  const text = typed.trim();
  const settled = useSettled(text, PAUSE_MS);
  const found = useQuery(findQuery(supabase, settled));
  const isWaiting = text !== "" && (settled !== text || found.isFetching);
  const pages = pageGroup(permissions, text);
  const all: ChoiceGroup[] =
    text === ""
      ? [recentGroup(permissions, recent), pages]
      : [...foundGroups(found.data ?? []), pages];
  return {
    text,
    groups: all.filter(({ choices }) => choices.length > 0),
    isWaiting,
    isError: found.isError && !isWaiting && text !== "",
    retry: () => void found.refetch(),
  };
}
