import { useEffect } from "react";

const LINKS = [
  { rel: "manifest", href: "/encaisser.webmanifest" },
  { rel: "apple-touch-icon", href: "/icons/apple-touch-icon.png" },
];

/** Files of this build that the page has fetched so far. */
function fetchedFiles(): string[] {
  const files = performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name, location.href))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"))
    .map(({ pathname }) => pathname);
  return [...new Set(files)];
}

async function keepShell(): Promise<void> {
  await navigator.serviceWorker.register("/till-worker.js", { scope: "/encaisser" });
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ files: fetchedFiles() });
}

/** Lets a phone install the till, and open it at once; nothing of it while developing. */
export function useInstallable(): void {
  useEffect(() => {
    const links = LINKS.map((attributes) =>
      document.head.appendChild(Object.assign(document.createElement("link"), attributes)),
    );
    if (import.meta.env.PROD && "serviceWorker" in navigator) keepShell().catch(() => {});
    return () => {
      for (const link of links) link.remove();
    };
  }, []);
}
