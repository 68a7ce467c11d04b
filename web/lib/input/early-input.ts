import { useEffect } from "react";

/** Marks the element of a prerendered page that its script has not taken over yet. */
export const PRERENDERED = "data-prerendered";

/** Input on a prerendered page that is about to be replaced. */
type Kept = {
  typed: ReadonlyMap<string, string>;
  chosen: readonly string[];
  /** Each control by its element and words, in the order of the presses. */
  pressed: readonly string[];
  /** The focused field. */
  focused: string | null;
};
const NOTHING: Kept = { typed: new Map(), chosen: [], pressed: [], focused: null };
let kept = NOTHING;

const isText = ({ type }: HTMLInputElement) => type !== "radio" && type !== "checkbox";

/** Elements whose press `server/build/start-later.js` has held back, oldest first. */
function pressedIn(page: HTMLElement): HTMLElement[] {
  return [...page.querySelectorAll<HTMLElement>("[data-pressed]")].sort(
    (one, other) => Number(one.dataset.pressed) - Number(other.dataset.pressed),
  );
}

/** Choices that are no longer as they were prerendered. */
function chosenIn(page: HTMLElement): HTMLInputElement[] {
  return [...page.querySelectorAll<HTMLInputElement>("input[type=radio]:checked")].filter(
    ({ defaultChecked }) => !defaultChecked,
  );
}

const likeness = ({ localName, textContent }: HTMLElement) => `${localName} ${textContent}`;

/** Keeps what was done on a page that will not be there when its script asks. */
export function keepEarly(page: HTMLElement): void {
  const fields = [...page.querySelectorAll<HTMLInputElement>("input[name]")].filter(isText);
  kept = {
    typed: new Map(fields.map(({ name, value }) => [name, value])),
    chosen: chosenIn(page).map(({ value }) => value),
    pressed: pressedIn(page).map(likeness),
    focused: fields.find((field) => field === document.activeElement)?.name ?? null,
  };
}

/** Restores the focus of the field that was focused when the page was replaced. */
function focusAgain(page: HTMLElement): void {
  const { focused } = kept;
  if (focused !== null) page.querySelector<HTMLElement>(`input[name="${focused}"]`)?.focus();
}

/** Text in a prerendered field from before its script was there; else blank. */
export function typedEarly(name: string): string {
  const field = globalThis.document?.querySelector<HTMLInputElement>(
    `[${PRERENDERED}] input[name="${name}"]`,
  );
  return field?.value ?? kept.typed.get(name) ?? "";
}

/** Selects as a user does: setting the current value would fire no event. */
function choose(option: HTMLInputElement): void {
  option.checked = false;
  option.click();
}

function press(control: HTMLElement): void {
  if (control instanceof HTMLFormElement) control.requestSubmit();
  else control.click();
}

/** Actions that the page still owes for input from before its script was there. */
function overdue(page: HTMLElement): (() => void)[] {
  const { chosen, pressed } = kept;
  const options = [...page.querySelectorAll<HTMLInputElement>("input[type=radio]")];
  const controls = [...page.querySelectorAll<HTMLElement>("button, form, a[data-held]")];
  return [
    ...[...chosenIn(page), ...options.filter(({ value }) => chosen.includes(value))].map(
      (option) => () => choose(option),
    ),
    ...[
      ...pressedIn(page),
      ...pressed.flatMap((like) => controls.find((control) => likeness(control) === like) ?? []),
    ].map((control) => () => press(control)),
  ];
}

/** Does it, each deed once the page has answered the one before. */
async function make(deeds: readonly (() => void)[]): Promise<void> {
  for (const deed of deeds) {
    deed();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Hook of the view that replaces a prerendered page: replays what was chosen and pressed before. */
export function useTakeOver(): void {
  useEffect(() => {
    const page = document.getElementById("root");
    if (!page) return;
    const deeds = overdue(page);
    focusAgain(page);
    kept = NOTHING;
    page.removeAttribute(PRERENDERED);
    for (const control of pressedIn(page)) delete control.dataset.pressed;
    void make(deeds);
  }, []);
}
