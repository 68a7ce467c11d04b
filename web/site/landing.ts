import { trialWheelCopy as copy } from "../features/marketing/landing/trial-wheel.copy.ts";
import { speaksOfArrival } from "../lib/auth/arrival-address.ts";
import { SIGNED_IN_HOME } from "../lib/auth/signed-in-home.ts";
import { createWheelRunner, type WheelRunner } from "../ui/wheel/wheel-runner.ts";
import "./landing.css";

// An entry that stays on this page closes the menu that it was chosen from.
for (const menu of document.querySelectorAll<HTMLElement>("[popover]")) {
  menu.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLAnchorElement) menu.hidePopover();
  });
}

/**
 * A failure of a link whose own page the authentication service does not know is shown where one
 * signs in.
 */
if (speaksOfArrival(window.location.href)) {
  const { search, hash } = window.location;
  window.location.replace(`/auth${search}${hash}`);
} else if (document.documentElement.classList.contains("member")) {
  // Whom `early.js` has found to be signed in is led on; the spinner is what they see of this page.
  window.location.replace(SIGNED_IN_HOME);
} else {
  for (const trial of document.querySelectorAll<HTMLElement>("[data-trial]")) startTrial(trial);
  bringInLater();
}

/**
 * Sections with an address of their own come into this page, too, once its reader nears the end of
 * it.
 */
function bringInLater(): void {
  const way = document.querySelector<HTMLAnchorElement>("[data-later]");
  const last = document.querySelector("main > :last-child");
  if (!way || !last) return;
  const near = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      near.disconnect();
      // The link leads there where it fails.
      import("./later.ts").then(({ bringIn }) => bringIn(way.href, last)).catch(() => {});
    },
    { rootMargin: "1500px" },
  );
  near.observe(last);
}

/**
 * Hydrates the prerendered wheel, the only interactive part of the page. Chance is the browser's here, since nothing
 * is won; a customer's turn is drawn by the database.
 */
function startTrial(trial: HTMLElement): void {
  const wheel = trial.querySelector<HTMLElement>("[data-wheel]");
  const pointer = trial.querySelector<SVGElement>("[data-pointer]");
  const button = trial.querySelector("button");
  const status = trial.querySelector("[role=status]");
  const labels = Array.from(
    trial.querySelectorAll("[data-segment]"),
    (segment) => segment.textContent,
  );
  if (!wheel || !pointer || !button || !status || labels.length === 0) return;

  let runner: WheelRunner | null = null;
  button.addEventListener("click", () => {
    if (button.ariaDisabled === "true") return;
    runner ??= createWheelRunner({ wheel, pointer, segmentCount: labels.length });
    const segment = Math.floor(Math.random() * labels.length);
    button.ariaDisabled = "true";
    button.textContent = copy.turning;
    status.textContent = "";
    runner.start();
    runner.stopAt(segment, () => {
      button.ariaDisabled = null;
      button.textContent = copy.again;
      status.textContent = copy.won(labels[segment] ?? "");
    });
  });
  trial.removeAttribute("data-waits");
  if (button.dataset.pressed) button.click();
}
