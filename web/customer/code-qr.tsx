import { useEffect, useState } from "react";
import { ticketCopy } from "./ticket.copy.ts";

type Drawing = { path: string; size: number };

/** The quiet zone that readers need around the modules. */
const MARGIN = 2;

async function draw(code: string): Promise<Drawing> {
  const { generate } = await import("lean-qr");
  const { toSvgPath } = await import("lean-qr/extras/svg");
  const qr = generate(code);
  return { path: toSvgPath(qr), size: qr.size };
}

/** The code for the till's camera. Loaded apart: without network the letters suffice. */
export function CodeQr({ code }: { code: string }) {
  const [drawing, setDrawing] = useState<Drawing | null>(null);

  useEffect(() => {
    let isCurrent = true;
    draw(code).then(
      (drawn) => isCurrent && setDrawing(drawn),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [code]);

  return (
    <div className="size-44">
      {drawing !== null && (
        <svg
          viewBox={`${-MARGIN} ${-MARGIN} ${drawing.size + 2 * MARGIN} ${drawing.size + 2 * MARGIN}`}
          className="size-full"
          shapeRendering="crispEdges"
          role="img"
          aria-label={ticketCopy.qr(code)}
        >
          <path d={drawing.path} className="fill-ink" />
        </svg>
      )}
    </div>
  );
}
