// Follows the system's light or dark setting. A file of its own, run before the first paint:
// the content security policy allows no inline script.
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const applyTheme = () => document.documentElement.classList.toggle("dark", darkSystem.matches);
applyTheme();
darkSystem.addEventListener("change", applyTheme);
