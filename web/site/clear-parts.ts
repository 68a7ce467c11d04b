import { clearCopy } from "../features/marketing/clear/clear.copy.ts";
import { NAMES, readAssumption, sumsOf } from "../features/marketing/clear/sums.ts";
import { formatNumber } from "../lib/format.ts";

/** The video of the journey; its first picture is part of the page. */
const LOOP = "/product/journey.webm";

/** Wakes the calculator and the video, on the page of their own or within another. */
export function startClear(clear: HTMLElement): void {
  const sums = clear.querySelector<HTMLFormElement>("[data-sums]");
  const loop = clear.querySelector<HTMLElement>("[data-loop]");
  if (sums) startSums(sums);
  if (loop) startLoop(loop);
}

function startSums(form: HTMLFormElement): void {
  const controlOf = (name: string) => {
    const found = form.elements.namedItem(name);
    return found instanceof HTMLInputElement ? found : null;
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  const reckon = () => {
    const read = NAMES.map((name) => [name, readAssumption(name, controlOf(name)?.value ?? "")]);
    for (const [name, number] of read) {
      const control = controlOf(String(name));
      if (control) control.ariaInvalid = number === null ? "true" : null;
    }
    const hasProblem = read.some(([, number]) => number === null);
    const problem = form.querySelector("[data-problem]");
    if (problem) problem.textContent = hasProblem ? clearCopy.sums.problem : "";
    // Unfinished numbers leave the last figures.
    if (hasProblem) return;
    const sums = sumsOf(Object.fromEntries(read));
    for (const name of ["reviews", "returns"] as const) {
      const place = form.querySelector(`[data-sum=${name}]`);
      if (place) place.textContent = formatNumber(sums[name]);
    }
  };
  form.addEventListener("input", reckon);
  // Numbers that were typed before this script came count.
  reckon();
}

/** Fetches the video once it is near, plays it where motion is welcome, and lets everybody stop it. */
function startLoop(figure: HTMLElement): void {
  const screen = figure.querySelector<HTMLElement>("[data-screen]");
  const picture = screen?.querySelector("img");
  const button = figure.querySelector("button");
  if (!screen || !picture || !button) return;
  const { play = "", pause = "" } = button.dataset;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let video: HTMLVideoElement | null = null;

  const made = (): HTMLVideoElement => {
    const next = document.createElement("video");
    next.muted = true;
    next.loop = true;
    next.playsInline = true;
    next.autoplay = true;
    next.poster = picture.src;
    next.width = picture.width;
    next.height = picture.height;
    next.className = picture.className;
    next.ariaLabel = picture.alt;
    const say = () => {
      button.textContent = next.paused ? play : pause;
    };
    next.addEventListener("play", say);
    next.addEventListener("pause", say);
    // The first picture comes back where this browser knows no such video.
    next.addEventListener("error", () => {
      next.replaceWith(picture);
      button.hidden = true;
    });
    next.src = LOOP;
    picture.replaceWith(next);
    return next;
  };

  button.addEventListener("click", () => {
    if (video === null) video = made();
    else if (video.paused) video.play().catch(() => {});
    else video.pause();
  });
  button.hidden = false;
  if (isStill) return;
  const near = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      near.disconnect();
      video ??= made();
    },
    { rootMargin: "200px" },
  );
  near.observe(figure);
}
