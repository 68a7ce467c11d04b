import { createElement, type SVGProps } from "react";

type IconData = {
  /** Side of the square that it is drawn in, in its own units. */
  size: number;
  node: readonly (readonly [tag: string, attributes: SVGProps<SVGElement>])[];
};
type IconProps = SVGProps<SVGSVGElement> & { size?: number };

/** Props that give an icon a name. Without one it is decoration, hidden from assistive technology. */
const NAMING = /^(aria-|role$|title$)/;

/**
 * Replacement for `createLucideIcon` of `lucide-react`: its class names, provider of defaults and strokes that do not
 * scale are used nowhere here, and weigh more than all icons of a screen. An icon takes a size and the props of an
 * `svg`.
 */
export default function createIcon({ size: side, node }: IconData) {
  return ({ size = 24, ...props }: IconProps) =>
    createElement(
      "svg",
      {
        width: size,
        height: size,
        viewBox: `0 0 ${side} ${side}`,
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        "aria-hidden": !Object.keys(props).some((name) => NAMING.test(name)) || undefined,
        ...props,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
}
