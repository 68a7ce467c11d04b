import { ExternalLink } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { brandProperties, PRODUCT_COLOR } from "#domain/rules/brand-colors.ts";
import type { BrandSettings } from "#domain/schemas/brand-settings.ts";
import { TitledCard } from "../../ui/titled-card.tsx";
import { brandCopy } from "./brand.copy.ts";

const copy = brandCopy.preview;

/** How long the server may answer with the page of before, in milliseconds: it keeps a finished one for a second. */
const PAGE_KEPT_MS = 1_200;

type PhonePreviewProps = {
  settings: BrandSettings;
  /** The colour that is being chosen; null: the product's own. */
  color: string | null;
};

/** The customer's page itself, small, with the logo that is stored and the colour that is being chosen. */
export function PhonePreview({ settings, color }: PhonePreviewProps) {
  const { slug, brand, campaign_slug } = settings;
  const page = campaign_slug ? `/c/${campaign_slug}/review` : `/org/${slug}`;
  const version = useLatePicture(brand?.logo?.path ?? null);
  return (
    <TitledCard title={copy.title} text={copy.text}>
      <Phone key={version} page={page} color={color} />
      <a
        href={page}
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-h-11 items-center gap-2 justify-self-center font-semibold underline underline-offset-4"
      >
        {copy.see}
        <ExternalLink aria-hidden="true" className="size-4" />
      </a>
    </TitledCard>
  );
}

/**
 * Path of a picture that makes the page load again: a logo that has just changed, once the server
 * shows it.
 */
function useLatePicture(path: string | null): string | null {
  const [shown, setShown] = useState(path);
  useEffect(() => {
    if (path === shown) return;
    const timer = setTimeout(() => setShown(path), PAGE_KEPT_MS);
    return () => clearTimeout(timer);
  }, [path, shown]);
  return shown;
}

function Phone({ page, color }: { page: string; color: string | null }) {
  const frame = useRef<HTMLIFrameElement>(null);
  // A page that the server has rendered needs no script, and then remembers nothing of this look at it.
  const [isPrerendered, setIsPrerendered] = useState(true);
  const [loads, setLoads] = useState(0);
  const isLoaded = loads > 0;

  useEffect(() => {
    const shown = frame.current?.contentDocument;
    if (loads === 0 || !shown) return;
    for (const [name, value] of brandProperties(color ?? PRODUCT_COLOR)) {
      shown.documentElement.style.setProperty(name, value);
      // A page that a script makes sets the saved colour above it, later.
      shown.body.style.setProperty(name, value);
    }
  }, [color, loads]);

  return (
    <div
      inert
      className="mx-auto h-150 w-full max-w-72 overflow-hidden rounded-[28px] border-8 border-ink bg-paper"
    >
      <iframe
        ref={frame}
        key={isPrerendered ? "prerendered" : "scripted"}
        src={page}
        title={copy.frame}
        tabIndex={-1}
        sandbox={isPrerendered ? "allow-same-origin" : "allow-same-origin allow-scripts"}
        onLoad={() => {
          const shown = frame.current?.contentDocument;
          // Without scripts, the page asks for them.
          if (isPrerendered)
            for (const asked of shown?.querySelectorAll("noscript") ?? []) asked.remove();
          setIsPrerendered(shown?.getElementById("steps") !== null);
          setLoads((before) => before + 1);
        }}
        className={`h-211 w-98 origin-top-left scale-[0.694] border-0 ${isLoaded ? "" : "invisible"}`}
      />
    </div>
  );
}
