import "./poster-faces.css";
import type { Language } from "#domain/text/languages.ts";
import type { Panel, Shape, Sheet } from "../paper/poster-drawing.ts";

const FACES = {
  display: "font-display font-extrabold",
  text: "font-sans font-medium",
} as const;

function Outline({ shape }: { shape: Exclude<Shape, { kind: "text" | "picture" }> }) {
  const { x, y, turn = 0, scale = 1 } = shape.place;
  const transform = `translate(${x} ${y}) rotate(${turn}) scale(${scale})`;
  if (shape.kind === "fill") return <path d={shape.d} fill={shape.color} transform={transform} />;
  return (
    <path
      d={shape.d}
      fill="none"
      stroke={shape.color}
      strokeWidth={shape.width}
      strokeDasharray={shape.dash}
      transform={transform}
    />
  );
}

function Words({ shape }: { shape: Extract<Shape, { kind: "text" }> }) {
  const { text, face, size, x, y, width, color, turn } = shape;
  return (
    <text
      x={x}
      y={y}
      fontSize={size}
      fill={color}
      textLength={width}
      className={FACES[face]}
      transform={turn === undefined ? undefined : `rotate(${turn} ${x} ${y})`}
    >
      {text}
    </text>
  );
}

function Pixels({ shape }: { shape: Extract<Shape, { kind: "picture" }> }) {
  const { picture, x, y, width, height } = shape;
  return <image href={picture.href} x={x} y={y} width={width} height={height} />;
}

function Drawn({ shape }: { shape: Shape }) {
  if (shape.kind === "text") return <Words shape={shape} />;
  return shape.kind === "picture" ? <Pixels shape={shape} /> : <Outline shape={shape} />;
}

/** Shapes never change places, so that their order names them. */
function Shapes({ shapes }: { shapes: readonly Shape[] }) {
  return shapes.map((shape, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the drawing is made anew as a whole.
    <Drawn key={index} shape={shape} />
  ));
}

function PanelPicture({ panel }: { panel: Panel }) {
  const { x, y, bleed, isTurned, shapes } = panel;
  const [width, height] = [panel.width + 2 * bleed, panel.height + 2 * bleed];
  const [left, top] = [x - bleed, y - bleed];
  return (
    <g transform={isTurned ? `rotate(180 ${left + width / 2} ${top + height / 2})` : undefined}>
      <svg
        x={left}
        y={top}
        width={width}
        height={height}
        viewBox={`${-bleed} ${-bleed} ${width} ${height}`}
        aria-hidden="true"
      >
        <Shapes shapes={shapes} />
      </svg>
    </g>
  );
}

/** A sheet as it comes out of the printer. */
export function PosterPreview(props: { sheet: Sheet; label: string; language: Language }) {
  const { sheet, label, language } = props;
  return (
    <svg
      viewBox={`0 0 ${sheet.width} ${sheet.height}`}
      role="img"
      aria-label={label}
      style={{ width: `min(100%, calc(26rem * ${sheet.width / sheet.height}))` }}
      className="h-auto bg-white shadow-card"
    >
      <g lang={language}>
        {sheet.panels.map((panel) => (
          <PanelPicture key={`${panel.x} ${panel.y}`} panel={panel} />
        ))}
        <Shapes shapes={sheet.marks} />
      </g>
    </svg>
  );
}
