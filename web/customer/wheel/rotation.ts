/** How far an element is turned by its own style, in degrees clockwise. */
export function rotationOf({ style }: ElementCSSInlineStyle): number {
  return Number(/rotate\(([-\d.]+)deg\)/.exec(style.transform)?.[1] ?? 0);
}

/** The shortest turn that leads as far as one by so many degrees does. */
export function shortestTurn(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}
