import { describe, expect, it } from "vitest";
import { drawPictures } from "./draw-pictures.ts";
import { guessPicture } from "./guess-picture.ts";
import { LABEL_END } from "./label-fit.ts";
import { placePicture, REACH } from "./picture-place.ts";
import { prizePicture } from "./prize-picture.ts";
import { drawingsOf, PRIZE_DRAWINGS } from "./prize-pictures.ts";
import { TRADES, tradeWheel } from "./trade-wheels.ts";

describe("a prize's picture", () => {
  it.each(prizePicture.options)("« %s » is light, and drawn around the origin", (name) => {
    const { soft, solid } = PRIZE_DRAWINGS[name];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -12 24 24"><path opacity=".36" d="${soft}"/><path d="${solid}"/></svg>`;
    expect(svg.length).toBeLessThan(600);
    for (const outline of [soft, solid]) {
      expect(outline).toMatch(/^M[\d\s.a-zA-Z-]+Z$/);
      const starts = outline.matchAll(/M(-?\d*\.?\d+)\s?(-?\d*\.?\d+)/g);
      for (const [, x, y] of starts) {
        expect(Math.hypot(Number(x), Number(y))).toBeLessThanOrEqual(REACH + 1.5);
      }
    }
  });

  it.each([
    ["Café offert", "gift", "coffee"],
    ["Un thé à la menthe", "gift", "coffee"],
    ["Théâtre de poche", "gift", "gift"],
    ["Petit-déjeuner offert", "gift", "coffee"],
    ["Viennoiserie offerte", "gift", "pastry"],
    ["Formule goûter offerte", "gift", "dessert"],
    ["Pâtisserie offerte", "gift", "dessert"],
    ["Apéritif offert", "gift", "drink"],
    ["Menu du jour", "gift", "meal"],
    ["10 % la prochaine fois", "coupon", "discount"],
    ["10\u00a0% sur un café", "coupon", "discount"],
    ["Bon d'achat de 5 €", "coupon", "discount"],
    ["Sur tout le magasin", "coupon", "discount"],
    ["Soin du visage offert", "gift", "care"],
    ["Brushing offert", "gift", "hair"],
    ["Lavage offert", "gift", "key"],
    ["Surclassement offert", "gift", "key"],
    ["Coaching offert", "gift", "sport"],
    ["Petit cadeau", "gift", "gift"],
    ["50 points", "points", "star"],
    ["Une surprise", "points", "star"],
  ] as const)("is guessed from « %s » (%s)", (name, type, picture) => {
    expect(guessPicture(name, type)).toBe(picture);
  });

  it("differs from the others in every trade's proposal, and none of the twelve is left out", () => {
    const used = TRADES.flatMap((trade) => {
      const pictures = tradeWheel(trade).flatMap(({ label, prize }) =>
        prize ? [guessPicture(label, prize.type)] : [],
      );
      expect(new Set(pictures).size).toBeGreaterThanOrEqual(2);
      return pictures;
    });
    // A meal and points are no trade's proposal: neither is cheap to give first.
    expect(new Set([...used, "meal", "star"])).toEqual(new Set(prizePicture.options));
  });
});

/** Middle and radius of a picture on the wheel, and the degrees that undo its segment's turn. */
function placed(label: string, index: number, count: number) {
  const place = placePicture(label, index, count);
  if (place === null) return null;
  const [x = 0, y = 0, turn = 0, scale = 0] = (place.at.match(/-?[\d.]+/g) ?? []).map(Number);
  return { x, y, turn, radius: scale * REACH, label: place };
}

describe("a picture's place on the wheel", () => {
  it.each([3, 4, 5, 6, 8])("is within its segment and upright on a wheel of %i", (count) => {
    for (let index = 0; index < count; index += 1) {
      const found = placed("Café offert", index, count);
      expect(found).not.toBeNull();
      if (found === null) return;
      const { x, y, turn, radius } = found;
      expect(turn).toBeCloseTo(-(index * 360) / count, 0);
      const distance = Math.hypot(x, y);
      expect(distance + radius).toBeLessThanOrEqual(LABEL_END + 7);
      const aside = (Math.atan2(Math.abs(x), -y) * 180) / Math.PI;
      const toEdge = distance * Math.sin(((180 / count - aside) * Math.PI) / 180);
      if (count > 3) expect(toEdge).toBeGreaterThanOrEqual(radius);
      // Above the words on either half.
      expect(Math.sign(x)).toBe(index * 2 > count ? 1 : -1);
    }
  });

  it.each<[string, number, number, string, number, number]>([
    ["Café offert", 0, 2, "translate(-37 -115.2)rotate(0)scale(1.5)", 14, 62],
    ["Café offert", 1, 2, "translate(-37 -115.2)rotate(-180)scale(1.5)", 14, 62],
    ["Café offert", 2, 3, "translate(37 -115.2)rotate(-240)scale(1.5)", -14, 62],
    ["Café offert", 3, 6, "translate(-25.8 -118.2)rotate(-180)scale(1.5)", 10, 40],
    ["Café offert", 4, 6, "translate(25.8 -118.2)rotate(-240)scale(1.5)", -10, 40],
    ["Dessert maison offert", 4, 5, "translate(32.5 -116.6)rotate(-288)scale(1.5)", -12, 48],
    ["-10 % sur l'addition", 2, 10, "translate(-22.9 -125.9)rotate(-72)scale(1)", 4, 28],
    ["Thé", 11, 12, "translate(15.9 -126)rotate(-330)scale(1)", -5, 20],
  ])("of « %s », %i of %i, is %s", (label, index, count, at, turn, angle) => {
    expect(placePicture(label, index, count)).toEqual({ at, turn, angle });
  });

  it("is drawn with its segment, and nothing where a segment names none", () => {
    const { soft, solid } = PRIZE_DRAWINGS.coffee;
    const place = placePicture("Café offert", 0, 3);
    expect(
      drawPictures([
        { label: "Café offert", picture: "coffee", weight: 3 },
        { label: "Perdu", picture: null },
        { label: "Raté" },
      ]),
    ).toEqual([
      { label: "Café offert", weight: 3, picture: { soft, solid, place } },
      { label: "Perdu" },
      { label: "Raté" },
    ]);
    expect(drawingsOf([{ id: "un", picture: "coffee" }])).toEqual([{ id: "un", soft, solid }]);
  });

  it("is none where words or segments leave no room", () => {
    expect(placePicture("Thé", 3, 14)).toBeNull();
    expect(placePicture("Café offert", 0, 24)).toBeNull();
    expect(placePicture("Un très long gain qui ne tient que sur trois lignes", 0, 12)).toBeNull();
  });
});
