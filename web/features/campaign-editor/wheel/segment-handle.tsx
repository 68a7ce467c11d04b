import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, GripVertical } from "lucide-react";
import type { KeyboardEvent, PointerEvent } from "react";
import { MENU_ITEM, Menu } from "../../../ui/menu.tsx";
import { editorCopy } from "../editor.copy.ts";

const copy = editorCopy.wheel;

type SegmentHandleProps = {
  /** Name of the segment. */
  name: string;
  /** Index from 0, and the total. */
  place: number;
  count: number;
  onMove: (to: number) => void;
  onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  /** Whether the last press was a drag. */
  wasDragged: () => boolean;
};

/**
 * The handle of a segment. It is dragged; arrow keys move the segment at once; a click opens a menu that moves it, for
 * users who can neither drag nor type.
 */
export function SegmentHandle(props: SegmentHandleProps) {
  const { name, place, count, onMove, onPointerDown, wasDragged } = props;
  const last = count - 1;
  const isPlace = (to: number) => to !== place && to >= 0 && to <= last;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.currentTarget.getAttribute("aria-expanded") === "true") return;
    const places: Readonly<Record<string, number>> = {
      ArrowUp: place - 1,
      ArrowDown: place + 1,
      Home: 0,
      End: last,
    };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (isPlace(to)) onMove(to);
  };
  const moves = [
    { icon: ArrowUp, label: copy.moves.up, to: place - 1 },
    { icon: ArrowDown, label: copy.moves.down, to: place + 1 },
    { icon: ArrowUpToLine, label: copy.moves.first, to: 0 },
    { icon: ArrowDownToLine, label: copy.moves.last, to: last },
  ];
  return (
    <Menu
      label={copy.move(name)}
      icon={GripVertical}
      side="left"
      trigger={{
        "aria-description": copy.moveHint,
        onKeyDown,
        onPointerDown,
        // The click that ends a drag opens nothing; keys are clicks without a press.
        onClickCapture: (event) => {
          if (event.detail > 0 && wasDragged()) event.stopPropagation();
        },
        className: "-ml-3 touch-none select-none cursor-grab! active:cursor-grabbing!",
      }}
    >
      {moves.map(({ icon: Icon, label, to }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-disabled={!isPlace(to) || undefined}
          onClick={() => isPlace(to) && onMove(to)}
          className={`${MENU_ITEM} aria-disabled:opacity-40`}
        >
          <Icon aria-hidden="true" className="size-5 shrink-0" />
          {label}
        </button>
      ))}
    </Menu>
  );
}
