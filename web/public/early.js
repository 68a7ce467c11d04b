// Script before the first paint: within pages that are prerendered at build, a file before the
// application. The page follows the system's light or dark setting, and is marked where it is not
// to be taken as it was prerendered.
const page = document.documentElement;
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const applyTheme = () => page.classList.toggle("dark", darkSystem.matches);
applyTheme();
darkSystem.addEventListener("change", applyTheme);
try {
  // A visitor with a session on this device sees that they are being led on, not the page for
  // visitors.
  page.classList.toggle("member", localStorage.getItem("tournavis-session") !== null);
} catch {
  // Storage may be refused: then there is no session.
}
// A visitor from the link of a mail, or from Google, is being signed in: a form to sign in would
// flash.
page.classList.toggle("arrives", new URLSearchParams(location.search).has("code"));
// An address that asks for more than is prerendered (`server/build/start-later.js`, `web/main.tsx`).
const isPrerendered = (name) => name === "mode" || name === "redirect";
const asked = [...new URLSearchParams(location.search).keys()];
page.classList.toggle("asks-more", location.hash !== "" || !asked.every(isPrerendered));
