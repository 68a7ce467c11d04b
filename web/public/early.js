// What must stand before the first paint: within pages that are painted at build, a file before the application. The page follows the system's light or dark setting, and who has a session kept on this device
// is marked: public pages show them that they are being led on, not what is meant for visitors.
const page = document.documentElement;
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const applyTheme = () => page.classList.toggle("dark", darkSystem.matches);
applyTheme();
darkSystem.addEventListener("change", applyTheme);
try {
  page.classList.toggle("member", localStorage.getItem("tournavis-session") !== null);
} catch {
  // Storage may be refused: then nobody is signed in.
}
