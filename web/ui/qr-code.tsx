import { useEffect, useState } from "react";

type Drawing = { path: string; size: number };

/** The quiet zone that readers need around the modules. */
const MARGIN = 2;

async function draw(text: string): Promise<Drawing> {
  const { generate } = await import("lean-qr");
  const { toSvgPath } = await import("lean-qr/extras/svg");
  const qr = generate(text);
  return { path: toSvgPath(qr), size: qr.size };
}

type QrCodeProps = {
  /** Text that a camera reads. */
  text: string;
  /** Said aloud in its place. */
  label: string;
  className?: string;
};

/** A text for a camera. Its drawing loads apart: without network the letters beside it suffice. */
export function QrCode({ text, label, className = "size-44" }: QrCodeProps) {
  const [drawing, setDrawing] = useState<Drawing | null>(null);

  useEffect(() => {
    let isCurrent = true;
    draw(text).then(
      (drawn) => isCurrent && setDrawing(drawn),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [text]);

  return (
    <div className={className}>
      {drawing !== null && (
        <svg
          viewBox={`${-MARGIN} ${-MARGIN} ${drawing.size + 2 * MARGIN} ${drawing.size + 2 * MARGIN}`}
          className="size-full"
          shapeRendering="crispEdges"
          role="img"
          aria-label={label}
        >
          <path d={drawing.path} className="fill-ink" />
        </svg>
      )}
    </div>
  );
}
