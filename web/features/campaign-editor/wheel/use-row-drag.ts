import { type PointerEvent, type RefObject, useEffect, useRef } from "react";
import { dropPlace, type RowBox, withinList } from "./drop-place.ts";

/** Distance in pixels from which a press is a drag, and not a click. */
const THRESHOLD = 5;

/** Height in pixels, at the top and the bottom of the screen, in which a dragged row scrolls the page. */
const EDGE = 110;

/** Speed of that, in pixels a frame. */
const SCROLL_STEP = 10;

/** Drag under way: the row that began it, all rows with their boxes, and where the pointer began and is, in pixels. */
type Drag = { from: number; rows: HTMLElement[]; boxes: RowBox[]; start: number; y: number };

/**
 * Drags the rows of a list by their handles, with mouse, pen or finger. The rows move by themselves, without rendering;
 * `onDrop` is called once. Escape cancels. `wasDragged` distinguishes the click that ends a drag from a real one.
 */
export function useRowDrag(
  list: RefObject<HTMLElement | null>,
  onDrop: (from: number, to: number) => void,
) {
  const drag = useRef<Drag | null>(null);
  const isMoving = useRef(false);
  const end = useRef<(isDropped: boolean) => void>(() => {});
  const whenDropped = useRef(onDrop);
  whenDropped.current = onDrop;

  useEffect(() => () => end.current(false), []);

  const onPointerDown = (event: PointerEvent<HTMLElement>, from: number) => {
    isMoving.current = false;
    if (event.button !== 0 || !event.isPrimary || list.current === null) return;
    const handle = event.currentTarget;
    const { pointerId } = event;
    const rows = [...list.current.children].filter((row) => row instanceof HTMLElement);
    const boxes = rows.map((row) => {
      const { top, height } = row.getBoundingClientRect();
      return { top: top + window.scrollY, height };
    });
    const held: Drag = { from, rows, boxes, start: event.pageY, y: event.clientY };
    drag.current = held;
    handle.setPointerCapture(pointerId);
    let frame = 0;

    const offset = () => withinList(boxes, from, held.y + window.scrollY - held.start);
    const show = () => place(held, offset());
    const scroll = () => {
      const { y } = held;
      const step = y < EDGE ? -SCROLL_STEP : y > window.innerHeight - EDGE ? SCROLL_STEP : 0;
      if (step !== 0) window.scrollBy(0, step);
      frame = requestAnimationFrame(scroll);
    };
    const onMove = (move: globalThis.PointerEvent) => {
      held.y = move.clientY;
      if (!isMoving.current) {
        if (Math.abs(move.pageY - held.start) < THRESHOLD) return;
        isMoving.current = true;
        lift(held);
        frame = requestAnimationFrame(scroll);
      }
      show();
    };
    const onKey = (key: KeyboardEvent) => {
      if (key.key === "Escape") finish(false);
    };
    const onScroll = () => {
      if (isMoving.current) show();
    };
    const finish = (isDropped: boolean) => {
      if (drag.current === null) return;
      drag.current = null;
      cancelAnimationFrame(frame);
      listening.abort();
      if (handle.hasPointerCapture(pointerId)) handle.releasePointerCapture(pointerId);
      const to = dropPlace(boxes, from, offset());
      lay(held);
      if (isDropped && isMoving.current && to !== from) whenDropped.current(from, to);
    };
    end.current = finish;

    const listening = new AbortController();
    const { signal } = listening;
    handle.addEventListener("pointermove", onMove, { signal });
    handle.addEventListener("pointerup", () => finish(true), { signal });
    handle.addEventListener("pointercancel", () => finish(false), { signal });
    window.addEventListener("keydown", onKey, { signal });
    window.addEventListener("scroll", onScroll, { signal, passive: true });
  };
  return { onPointerDown, wasDragged: () => isMoving.current };
}

/** The row leaves the list, for the eyes. */
function lift({ rows, from }: Drag): void {
  for (const [index, row] of rows.entries()) {
    if (index === from) row.dataset.dragged = "";
    else row.dataset.aside = "";
  }
}

/** The dragged row goes where the pointer is, the others make room. */
function place({ rows, boxes, from }: Drag, offset: number): void {
  const to = dropPlace(boxes, from, offset);
  const room = (boxes[from]?.height ?? 0) + gapOf(boxes);
  for (const [index, row] of rows.entries()) {
    const isPassed = index > from && index <= to;
    const isAhead = index < from && index >= to;
    const aside = isPassed ? -room : isAhead ? room : 0;
    row.style.transform = `translateY(${index === from ? offset : aside}px)`;
  }
}

/** Everything is where the list has it. */
function lay({ rows }: Drag): void {
  for (const row of rows) {
    delete row.dataset.dragged;
    delete row.dataset.aside;
    row.style.transform = "";
  }
}

function gapOf([first, second]: readonly RowBox[]): number {
  return first && second ? second.top - first.top - first.height : 0;
}
