import { paletteCopy } from "./palette.copy.ts";
import type { Choice, ChoiceGroup } from "./palette-choices.ts";

type PaletteListProps = {
  id: string;
  groups: readonly ChoiceGroup[];
  active: Choice | undefined;
  /** Results belong to an earlier text. */
  isBusy: boolean;
  optionId: (choice: Choice) => string;
  onPoint: (choice: Choice) => void;
  onChoose: (choice: Choice) => void;
};

/** Choices by kind. The focus stays in the field above, which says which one is active. */
export function PaletteList(props: PaletteListProps) {
  const { id, groups, active, isBusy, optionId, onPoint, onChoose } = props;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={paletteCopy.title}
      aria-busy={isBusy}
      // Readers who use a mouse may scroll with the keys of a page.
      tabIndex={0}
      className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto overscroll-contain p-2 -outline-offset-2"
    >
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options within a list box has no element of its own.
        <div key={group.title} role="group" aria-label={group.title} className="grid">
          <div aria-hidden="true" className="px-3 pt-1 pb-1.5 text-sm font-semibold text-muted">
            {group.title}
          </div>
          {group.choices.map((choice) => {
            const { key, title, detail, icon: Icon } = choice;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's.
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field.
              <div
                key={key}
                id={optionId(choice)}
                role="option"
                aria-selected={active?.key === key}
                onPointerMove={() => onPoint(choice)}
                onClick={() => onChoose(choice)}
                className="flex min-h-12 cursor-pointer items-center gap-3 rounded-field px-3 py-1.5 aria-selected:bg-violet-soft"
              >
                <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" />
                <span className="grid min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-3">
                  <span className="max-w-full truncate font-semibold sm:shrink-0">{title}</span>
                  {detail && <span className="truncate text-sm text-muted">{detail}</span>}
                </span>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
