// Chooses the language of a phone page where no server does it: what was chosen before, else what the phone prefers.
// It is placed at the head of the script that starts the page (`start-later.js`).
{
  const { dataset } = document.currentScript;
  const page = document.documentElement;
  const KEY = "tournavis:lang";
  const asked = new URLSearchParams(location.search).get("lang");
  let kept = asked;
  try {
    if (asked !== null) localStorage.setItem(KEY, asked);
    kept = localStorage.getItem(KEY);
  } catch {
    // Storage is forbidden here: the address alone says what was chosen.
  }
  for (const tag of [kept, ...navigator.languages]) {
    const language = tag?.split("-")[0].toLowerCase();
    if (language === page.lang) break;
    const scripts = dataset[`lang${language}`]?.split(" ");
    if (!scripts) continue;
    [dataset.start, dataset.ahead] = [scripts[0], scripts.slice(1).join(" ")];
    page.lang = language;
    break;
  }
}
