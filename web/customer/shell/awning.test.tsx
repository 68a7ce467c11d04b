import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { Awning } from "./awning.tsx";

it("a peg of the awning stands at the seam of two segments", () => {
  const html = renderToString(<Awning />);
  const turns = [...html.matchAll(/rotate\(([\d.]+)\)/g)].map(([, turn]) => Number(turn));
  const pegs = [...html.matchAll(/<circle cx="([-\d.]+)" cy="([-\d.]+)"/g)].map(([, x, y]) => {
    const angle = (Math.atan2(Number(x), -Number(y)) * 180) / Math.PI;
    return Math.round(10 * ((angle + 360) % 360)) / 10;
  });
  // A segment is nine degrees wide, and drawn about its middle.
  expect(pegs).toEqual(turns.map((turn) => turn + 4.5));
});
