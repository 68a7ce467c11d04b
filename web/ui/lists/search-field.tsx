import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { SEARCH_MAX_LENGTH } from "#domain/rules/constants.ts";
import { uiCopy } from "../ui.copy.ts";

type SearchFieldProps = {
  label: string;
  placeholder: string;
  /** Current search, as the address has it. */
  value: string;
  onSearch: (text: string) => void;
};

/** Long enough not to ask for every letter, short enough to feel like an answer. */
const PAUSE_MS = 200;

/** Searches while one types, as soon as the typing pauses. */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const asked = useRef(value);

  // The address changed by other means than this field: back, forward, « clear ».
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setText(value);
  }, [value]);

  useEffect(() => {
    const wanted = text.trim();
    if (wanted === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = wanted;
      onSearch(wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, onSearch]);

  return (
    <search className="relative block min-w-0 flex-1">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3.5 size-5 -translate-y-1/2 text-muted"
      />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        maxLength={SEARCH_MAX_LENGTH}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => setText(event.target.value)}
        className="min-h-12 w-full rounded-field border-[1.5px] border-field bg-surface pr-12 pl-11 placeholder-shown:pr-2 text-base text-ellipsis text-ink placeholder:text-muted [&::-webkit-search-cancel-button]:hidden"
      />
      {text && (
        <button
          type="button"
          aria-label={uiCopy.clearSearch}
          onClick={() => {
            setText("");
            input.current?.focus();
          }}
          className="absolute inset-y-0 right-0.5 grid w-11 place-items-center rounded-field text-muted hover:text-ink"
        >
          <X aria-hidden="true" className="size-5" />
        </button>
      )}
    </search>
  );
}
