import confetti from "canvas-confetti";
import { isReadInwards } from "../../ui/wheel/wheel-face.tsx";
import { rotationOf, shortestTurn } from "./rotation.ts";

/**
 * The scene, in milliseconds after the wheel has stopped: the segment stands out, leaves the wheel, lands as a ticket, which
 * unfolds; then the words come.
 */
const POP = 320;
const FLY = 620;
const MORPH = 880;
const MORPHED = 1_060;
const LAND = 1_250;
const UNFOLD = 1_180;
const UNFOLDED = 1_760;
const TITLE = 1_150;
const WORDS = 1_700;
const WORD_MS = 320;
const END = 2_500;

/** Taps that were meant to skip the scene do nothing on what it uncovers. */
const SHIELD_MS = 400;

/** Opacity of the wheel beside the winning segment. */
const DIMMED = 0.22;

/** Middle of a segment, as a share of the wheel's radius. */
const SEGMENT_MIDDLE = 0.6;

/** First movement of the segment out of the wheel, in pixels. */
const LEAP = 10;

/** Scale of the segment when the ticket takes its place, and of the ticket at that moment. */
const SEGMENT_GROWTH = 1.35;
const TICKET_START = 0.45;

const SOFT = "cubic-bezier(0.22, 1, 0.36, 1)";
const FLIGHT = "cubic-bezier(0.5, 0, 0.3, 1)";

type Place = { x: number; y: number };

/** Scene of a win, played once. */
export type WinScene = {
  /** Plays in front of a result that is in the page already, until it ends or is skipped; answers how to clear it away. */
  play: (result: HTMLElement) => () => void;
};

/** A copy of the drawn wheel in a layer of its own, in which `keep` selects what stays. */
type Layer = { element: HTMLElement; face: HTMLElement; pointer: SVGElement };

function layerOf(wheel: HTMLElement, { left, top, width, height }: DOMRect): Layer {
  const element = document.importNode(wheel, true);
  element.className = "";
  Object.assign(element.style, {
    position: "absolute",
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    willChange: "transform, opacity",
  });
  const face = element.querySelector<HTMLElement>("[data-wheel]");
  const pointer = element.querySelector<SVGElement>("[data-pointer]");
  if (face === null || pointer === null) throw new Error("The wheel has no face.");
  face.removeAttribute("data-wheel");
  face.style.willChange = "auto";
  return { element, face, pointer };
}

/** The middle of an element on the screen. */
function middleOf({ left, top, width, height }: DOMRect): Place {
  return { x: left + width / 2, y: top + height / 2 };
}

/** The wheel that has just stopped, taken apart: what dims, the pointer, and the segment that won. */
type Parts = {
  rest: Layer;
  arrow: Layer;
  segment: Layer;
  /** The middle of the segment on the screen. */
  middle: Place;
  /** Out of the wheel, of length 1. */
  outward: Place;
  /** Rotation that brings the segment's label upright, in degrees. */
  turn: number;
};

function takeApart(wheel: HTMLElement, chosen: number): Parts {
  const place = wheel.getBoundingClientRect();
  const rest = layerOf(wheel, place);
  const arrow = layerOf(wheel, place);
  const segment = layerOf(wheel, place);
  const segments = ({ face }: Layer) => Array.from(face.querySelectorAll("svg > g"));
  const count = segments(rest).length;
  segments(rest)[chosen]?.remove();
  const won = segments(segment)[chosen];
  won?.parentElement?.replaceChildren(won);
  segment.element.replaceChildren(segment.face);
  arrow.element.replaceChildren(arrow.pointer);
  rest.pointer.remove();

  const angle = rotationOf(rest.face) + (chosen * 360) / count;
  const radians = (angle * Math.PI) / 180;
  const outward = { x: Math.sin(radians), y: -Math.cos(radians) };
  const radius = count === 1 ? 0 : (place.width / 2) * SEGMENT_MIDDLE;
  const { x, y } = middleOf(place);
  const middle = { x: x + outward.x * radius, y: y + outward.y * radius };
  segment.element.style.transformOrigin = `${middle.x - place.left}px ${middle.y - place.top}px`;
  const upright = isReadInwards(chosen, count) ? -90 : 90;
  return { rest, arrow, segment, middle, outward, turn: shortestTurn(upright - angle) };
}

/** The wheel dims and goes, the pointer snaps, the segment leaps out and flies to where the ticket is. */
function moveWheel(
  { rest, arrow, segment, middle, outward, turn }: Parts,
  landing: Place,
): Animation[] {
  const leap = `translate(${outward.x * LEAP}px, ${outward.y * LEAP}px) scale(1.08)`;
  const flight = `translate(${landing.x - middle.x}px, ${landing.y - middle.y}px)`;
  return [
    rest.element.animate(
      [
        { opacity: 1, transform: "none" },
        { opacity: DIMMED, transform: "none", offset: POP / LAND },
        { opacity: DIMMED, transform: "none", offset: FLY / LAND },
        { opacity: 0, transform: "scale(0.94)" },
      ],
      { duration: LAND, fill: "forwards" },
    ),
    arrow.pointer.animate(
      [
        { transform: arrow.pointer.style.transform || "none" },
        { transform: "rotate(-9deg) scale(1.12)", offset: 0.55 },
        { transform: "none" },
      ],
      { duration: POP, easing: "ease-out", fill: "forwards" },
    ),
    arrow.element.animate([{ opacity: 1 }, { opacity: 0 }], {
      delay: FLY,
      duration: MORPH - FLY,
      fill: "forwards",
    }),
    segment.element.animate(
      [
        { transform: "none", easing: SOFT },
        { transform: leap, offset: POP / LAND },
        { transform: leap, offset: FLY / LAND, easing: FLIGHT },
        { transform: `${flight} rotate(${turn}deg) scale(${SEGMENT_GROWTH})` },
      ],
      { duration: LAND, fill: "forwards" },
    ),
    segment.face.animate([{ opacity: 1 }, { opacity: 0 }], {
      delay: MORPH,
      duration: MORPHED - MORPH,
      fill: "forwards",
    }),
  ];
}

/** The ticket comes out of the segment and unfolds; then come the words around it. */
function moveResult({ middle, turn }: Parts, result: HTMLElement, landing: Place): Animation[] {
  const [stub, body] = result.querySelectorAll<HTMLElement>("article > *");
  const start = `translate(${middle.x - landing.x}px, ${middle.y - landing.y}px)`;
  const moves = [
    stub?.animate(
      [
        { transform: `${start} rotate(${-turn}deg) scale(${TICKET_START})`, easing: FLIGHT },
        { transform: "none" },
      ],
      { delay: FLY, duration: LAND - FLY, fill: "backwards" },
    ),
    stub?.animate([{ opacity: 0 }, { opacity: 1 }], {
      delay: MORPH,
      duration: MORPHED - MORPH,
      fill: "backwards",
    }),
    body?.animate(
      [
        { opacity: 0, transform: "perspective(900px) rotateX(-94deg)" },
        {
          opacity: 1,
          transform: "perspective(900px) rotateX(-80deg)",
          offset: 0.12,
          easing: "ease-out",
        },
        {
          opacity: 1,
          transform: "perspective(900px) rotateX(8deg)",
          offset: 0.75,
          easing: "ease-in-out",
        },
        { opacity: 1, transform: "perspective(900px)" },
      ],
      { delay: UNFOLD, duration: UNFOLDED - UNFOLD, fill: "backwards" },
    ),
  ];
  const words = Array.from(result.children).filter((child) => !child.querySelector("article"));
  for (const [place, word] of words.entries()) {
    moves.push(
      word.animate([{ opacity: 0, transform: "translateY(12px)" }, {}], {
        delay: place === 0 ? TITLE : WORDS + Math.min(place, 5) * 40,
        duration: WORD_MS,
        easing: SOFT,
        fill: "backwards",
      }),
    );
  }
  return moves.filter((move) => move !== undefined);
}

/** Layer of flying paper, in front of the scene and of what comes after it. */
type PaperLayer = { throwFrom: (place: Place, count: number) => void; clear: () => void };

/** Canvas of our own, in the page while confetti flies: the library's own is exposed to assistive technology. */
function paperLayerOf(colors: string[]): PaperLayer {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  Object.assign(canvas.style, {
    position: "fixed",
    inset: "0",
    width: "100%",
    height: "100%",
    zIndex: "100",
    pointerEvents: "none",
  });
  // Its worker would start from a blob, which the page's security policy forbids.
  const fire = confetti.create(canvas, { resize: true, useWorker: false });
  return {
    throwFrom({ x, y }, particleCount) {
      document.body.append(canvas);
      const landed = fire({
        particleCount,
        spread: 100,
        startVelocity: 30,
        scalar: 0.9,
        ticks: 110,
        origin: { x: x / innerWidth, y: y / innerHeight },
        colors,
        disableForReducedMotion: true,
      });
      landed?.then(() => canvas.remove());
    },
    clear() {
      fire.reset();
      canvas.remove();
    },
  };
}

function playScene(parts: Parts, result: HTMLElement, colors: string[]): () => void {
  const stage = document.createElement("div");
  stage.setAttribute("aria-hidden", "true");
  stage.dataset.winScene = "";
  Object.assign(stage.style, { position: "fixed", inset: "0", zIndex: "50", touchAction: "none" });
  stage.append(parts.rest.element, parts.segment.element, parts.arrow.element);
  // The result's title does the same as soon as it has the focus.
  scrollTo(0, 0);
  const landing = middleOf((result.querySelector("article > *") ?? result).getBoundingClientRect());
  document.body.append(stage);
  const moves = [...moveWheel(parts, landing), ...moveResult(parts, result, landing)];
  const paper = paperLayerOf(colors);
  const timers = [
    setTimeout(() => paper.throwFrom(parts.middle, 45), POP),
    setTimeout(() => paper.throwFrom(landing, 55), LAND),
    setTimeout(clear, END),
  ];
  const listening = new AbortController();
  const { signal } = listening;
  const width = innerWidth;
  stage.addEventListener("click", skip, { signal });
  for (const sign of ["keydown", "wheel"]) addEventListener(sign, skip, { signal });
  document.addEventListener("visibilitychange", skip, { signal });
  addEventListener("resize", () => innerWidth !== width && skip(), { signal });

  /** Shows what the scene ends with. */
  function skip() {
    listening.abort();
    for (const timer of timers) clearTimeout(timer);
    for (const move of moves) move.finish();
    paper.clear();
    stage.replaceChildren();
    timers.push(setTimeout(clear, SHIELD_MS));
  }

  function clear() {
    listening.abort();
    stage.remove();
  }

  return () => {
    if (stage.isConnected) skip();
    for (const timer of timers) clearTimeout(timer);
    clear();
  };
}

/**
 * Takes what the scene begins with from the wheel in the page, which has just stopped. Everything that moves is a
 * `transform` or an opacity, which the browser moves beside the page's script; null where it would not be visible.
 */
export function takeWheel(chosen: number, colors: string[]): WinScene | null {
  const wheel = document.querySelector<HTMLElement>("[data-wheel]")?.parentElement;
  if (!wheel || document.hidden) return null;
  const parts = takeApart(wheel, chosen);
  return {
    play(result) {
      try {
        return playScene(parts, result, colors);
      } catch {
        // The result is in the page: a browser that cannot play shows it at once.
        document.querySelector("[data-win-scene]")?.remove();
        return () => {};
      }
    },
  };
}
