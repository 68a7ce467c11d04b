// What must stand before the first paint; a file of its own, since the content security policy allows no
// inline script. The page follows the system's light or dark setting, and who has a session kept on this device
// is marked: public pages show them that they are being led on, not what is meant for visitors.
const page = document.documentElement;
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const applyTheme = () => page.classList.toggle("dark", darkSystem.matches);
applyTheme();
darkSystem.addEventListener("change", applyTheme);
// What is pressed on a painted page before its script is there waits for it, and is pressed then
// (`web/lib/early-input.ts`). Fields and choices are the browser's own and need no waiting.
let presses = 0;
const hold = (event, control) => {
  if (!control?.closest("#root[data-painted]")) return;
  event.preventDefault();
  event.stopPropagation();
  presses += 1;
  control.dataset.pressed = presses;
};
addEventListener(
  "click",
  (event) => hold(event, event.target.closest("button:not([popovertarget])")),
  true,
);
// A password manager sends a form without pressing its button.
addEventListener("submit", (event) => hold(event, event.target), true);
try {
  page.classList.toggle("member", localStorage.getItem("tournavis-session") !== null);
} catch {
  // Storage may be refused: then nobody is signed in.
}
