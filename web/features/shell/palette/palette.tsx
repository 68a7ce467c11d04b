import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import * as z from "zod/mini";
import { SEARCH_MAX_LENGTH } from "#domain/rules/constants.ts";
import { type FoundThing, foundThing } from "#domain/schemas/found-things.ts";
import { useApp } from "../../../lib/app-context.ts";
import { useUserId } from "../../../lib/auth/use-session.ts";
import { RECENT_KEY, tabMemory } from "../../../lib/device-memory.ts";
import { useDebounced } from "../../../lib/input/use-debounced.ts";
import { useWorkspace } from "../../../lib/workspace.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { FallenSegment } from "../../../ui/states/fallen-segment.tsx";
import { SegmentSpinner } from "../../../ui/states/segment-spinner.tsx";
import { paletteCopy as copy } from "./palette.copy.ts";
import { findQuery } from "./palette.queries.ts";
import {
  type Choice,
  type ChoiceGroup,
  foundGroups,
  pageGroup,
  recentGroup,
} from "./palette-choices.ts";
import { PaletteList } from "./palette-list.tsx";

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Search for any campaign, customer, code, reward, store or page by a part of its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const userId = useUserId();
  const [typed, setTyped] = useState("");
  const [pointed, setPointed] = useState<string | null>(null);
  const { text, groups, isWaiting, isError, retry } = usePaletteChoices(typed);
  const choices = groups.flatMap((group) => group.choices);
  // The active choice may be gone with the next letter: then the first is.
  const active = choices.find(({ key }) => key === pointed) ?? choices[0];
  const optionId = ({ key }: Choice) => `${id}-${key.replaceAll(" ", "-")}`;
  const activeId = active && optionId(active);

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  const choose = (choice: Choice) => {
    if (choice.thing) keepRecent(userId, choice.thing);
    onClose();
    void navigate(choice.target);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A word that is still being composed takes the keys for itself.
    if (event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    if (step && active) {
      event.preventDefault();
      const next = (choices.indexOf(active) + step + choices.length) % choices.length;
      setPointed(choices[next]?.key ?? null);
    } else if (event.key === "Enter" && active) {
      event.preventDefault();
      choose(active);
    }
  };
  const isNothing = choices.length === 0 && !isWaiting && !isError;

  return (
    <Modal
      look="sheet"
      aria-label={copy.title}
      onClose={onClose}
      className="mx-auto mt-0 mb-auto max-h-dvh w-full max-w-none overflow-clip sm:mt-[12dvh] sm:max-h-[70dvh] sm:w-[min(40rem,calc(100vw-4rem))] sm:rounded-card"
    >
      <div className="flex max-h-dvh flex-col sm:max-h-[70dvh]">
        <div className="flex items-center gap-2 border-b border-line pr-2 pl-5">
          <span className="grid size-6 shrink-0 place-items-center text-muted">
            {isWaiting ? <SegmentSpinner /> : <Search aria-hidden="true" className="size-5" />}
          </span>
          <PaletteField
            typed={typed}
            listId={`${id}-list`}
            activeId={activeId}
            isExpanded={choices.length > 0}
            onType={(value) => {
              setTyped(value);
              setPointed(null);
            }}
            onKeyDown={onKeyDown}
          />
          <button
            type="button"
            aria-label={copy.close}
            onClick={onClose}
            className="grid size-11 shrink-0 place-items-center rounded-full text-muted hover:text-ink"
          >
            <X aria-hidden="true" className="size-5" />
          </button>
        </div>
        {isError && (
          <div className="p-4 pb-1">
            <Alert>
              <p>{copy.failed}</p>
              <Button variant="secondary" className="mt-3" onClick={retry}>
                {copy.retry}
              </Button>
            </Alert>
          </div>
        )}
        {isNothing && (
          <div className="grid justify-items-center gap-1 px-6 py-8 text-center">
            <FallenSegment className="mb-2 h-16 w-auto" />
            <p className="max-w-full font-semibold wrap-anywhere">{copy.noMatch(text)}</p>
            <p className="text-muted">{copy.noMatchHint}</p>
          </div>
        )}
        <PaletteList
          id={`${id}-list`}
          groups={groups}
          active={active}
          isBusy={isWaiting}
          optionId={optionId}
          onPoint={(choice) => setPointed(choice.key)}
          onChoose={choose}
        />
        <p role="status" className="sr-only">
          {isWaiting ? copy.searching : isNothing ? copy.noMatch(text) : copy.found(choices.length)}
        </p>
        <KeyHints />
      </div>
    </Modal>
  );
}

type PaletteFieldProps = {
  typed: string;
  listId: string;
  /** Option that Enter opens. */
  activeId: string | undefined;
  isExpanded: boolean;
  onType: (value: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

function PaletteField(props: PaletteFieldProps) {
  const { typed, listId, activeId, isExpanded, onType, onKeyDown } = props;
  return (
    <input
      role="combobox"
      aria-label={copy.label}
      aria-autocomplete="list"
      aria-expanded={isExpanded}
      aria-controls={listId}
      aria-activedescendant={activeId}
      placeholder={copy.placeholder}
      value={typed}
      maxLength={SEARCH_MAX_LENGTH}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      enterKeyHint="go"
      onChange={(event) => onType(event.target.value)}
      onKeyDown={onKeyDown}
      className="min-h-15 w-full min-w-0 bg-transparent px-1 text-lg outline-none placeholder:text-muted"
    />
  );
}

/** Keys of the palette, for those who have a keyboard. */
function KeyHints() {
  return (
    <p
      aria-hidden="true"
      className="hidden gap-5 border-t border-line px-5 py-2.5 text-sm text-muted sm:flex [&_kbd]:font-sans [&_kbd]:font-semibold [&_kbd]:text-ink"
    >
      <span>
        <kbd>↑ ↓</kbd> {copy.keys.move}
      </span>
      <span>
        <kbd>Entrée</kbd> {copy.keys.open}
      </span>
      <span>
        <kbd>Échap</kbd> {copy.keys.close}
      </span>
    </p>
  );
}

/** Pause after a key before the search, in milliseconds; short, since an answer takes less. */
const PAUSE_MS = 150;

/** Choices for a text, and the state of their search. */
function usePaletteChoices(typed: string) {
  const { supabase } = useApp();
  const userId = useUserId();
  const workspace = useWorkspace();
  const [recent] = useState(() => readRecent(userId));
  const text = typed.trim();
  const debounced = useDebounced(text, PAUSE_MS);
  const found = useQuery(findQuery(supabase, debounced));
  const isWaiting = text !== "" && (debounced !== text || found.isFetching);
  const pages = pageGroup(workspace, text);
  const all: ChoiceGroup[] =
    text === ""
      ? [recentGroup(workspace?.permissions ?? [], recent), pages]
      : [...foundGroups(found.data ?? []), pages];
  return {
    text,
    groups: all.filter(({ choices }) => choices.length > 0),
    isWaiting,
    isError: found.isError && !isWaiting && text !== "",
    retry: () => void found.refetch(),
  };
}

const MAX_RECENT = 5;

const kept = z.object({ userId: z.string(), things: z.array(foundThing) });

/** Things that this user opened from the search in this tab, newest first; empty where another user opened them. */
function readRecent(userId: string): readonly FoundThing[] {
  try {
    const found = kept.parse(JSON.parse(tabMemory.read(RECENT_KEY) ?? ""));
    return found.userId === userId ? found.things : [];
  } catch {
    return [];
  }
}

/** Puts something first among what was opened. */
function keepRecent(userId: string, thing: FoundThing): void {
  const others = readRecent(userId).filter(({ id }) => id !== thing.id);
  const things = [thing, ...others].slice(0, MAX_RECENT);
  tabMemory.write(RECENT_KEY, JSON.stringify({ userId, things }));
}
