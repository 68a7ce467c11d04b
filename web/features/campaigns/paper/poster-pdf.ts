import * as fontkit from "@cantoo/fontkit";
import {
  clip,
  concatTransformationMatrix,
  degrees,
  endPath,
  PDFDocument,
  type PDFFont,
  type PDFImage,
  PDFName,
  type PDFPage,
  PDFString,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  rgb,
} from "@cantoo/pdf-lib";
import { channelsOf } from "#domain/rules/colors.ts";
import type { Language } from "#domain/text/languages.ts";
import type { FaceName, Panel, Picture, Shape, Sheet } from "./poster-drawing.ts";
import type { PosterFonts } from "./poster-fonts.ts";
import { SRGB, srgbProfile } from "./srgb-profile.ts";

type Pens = {
  page: PDFPage;
  fonts: PosterFonts;
  embedded: Readonly<Record<FaceName, readonly PDFFont[]>>;
  pictures: ReadonlyMap<Picture, PDFImage>;
};

function rgbOf(color: string) {
  const [red, green, blue] = channelsOf(color);
  return rgb(red / 255, green / 255, blue / 255);
}

/** Draws a shape on a panel of a height: paper counts upwards. */
function drawShape({ page, fonts, embedded, pictures }: Pens, shape: Shape, height: number): void {
  if (shape.kind === "text") {
    const { turn = 0 } = shape;
    const along = (turn * Math.PI) / 180;
    let { x, y } = shape;
    for (const run of fonts.runs(shape.text, shape.face)) {
      const font = embedded[shape.face][run.font];
      if (font === undefined) continue;
      const { size } = shape;
      page.drawText(run.text, {
        x,
        y: height - y,
        size,
        font,
        color: rgbOf(shape.color),
        rotate: degrees(-turn),
      });
      const width = fonts.measure(run.text, shape.face, size);
      x += Math.cos(along) * width;
      y += Math.sin(along) * width;
    }
    return;
  }
  if (shape.kind === "picture") {
    const image = pictures.get(shape.picture);
    const { x, y, width } = shape;
    if (image) {
      page.drawImage(image, { x, y: height - y - shape.height, width, height: shape.height });
    }
    return;
  }
  const { place, d } = shape;
  const at = {
    x: place.x,
    y: height - place.y,
    scale: place.scale ?? 1,
    rotate: degrees(-(place.turn ?? 0)),
  };
  if (shape.kind === "fill") {
    page.drawSvgPath(d, { ...at, color: rgbOf(shape.color) });
    return;
  }
  page.drawSvgPath(d, {
    ...at,
    borderColor: rgbOf(shape.color),
    borderWidth: shape.width,
    ...(shape.dash !== undefined && { borderDashArray: [shape.dash, shape.dash] }),
  });
}

function drawPanel(pens: Pens, panel: Panel, pageHeight: number): void {
  const { x, y, width, height, bleed, isTurned, shapes } = panel;
  pens.page.pushOperators(
    pushGraphicsState(),
    isTurned
      ? concatTransformationMatrix(-1, 0, 0, -1, x + width, pageHeight - y)
      : concatTransformationMatrix(1, 0, 0, 1, x, pageHeight - y - height),
    rectangle(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed),
    clip(),
    endPath(),
  );
  for (const shape of shapes) drawShape(pens, shape, height);
  pens.page.pushOperators(popGraphicsState());
}

/** States that the colours of a page are those of sRGB, to readers that convert them and to printers alike. */
function stateColors(document: PDFDocument, page: PDFPage): void {
  const { context } = document;
  const profile = context.register(
    context.flateStream(srgbProfile(), { N: 3, Alternate: "DeviceRGB" }),
  );
  const intent = {
    Type: "OutputIntent",
    S: "GTS_PDFA1",
    OutputConditionIdentifier: PDFString.of(SRGB),
    Info: PDFString.of(SRGB),
    DestOutputProfile: profile,
  };
  document.catalog.set(PDFName.of("OutputIntents"), context.obj([intent]));
  page.node
    .normalizedEntries()
    .Resources.set(PDFName.of("ColorSpace"), context.obj({ DefaultRGB: ["ICCBased", profile] }));
}

/** A sheet as a PDF: outlines throughout but for the merchant's logo, and of the fonts the letters that it uses. */
export async function printSheet(
  sheet: Sheet,
  { title, language }: { title: string; language: Language },
  fonts: PosterFonts,
) {
  const document = await PDFDocument.create();
  document.registerFontkit(fontkit);
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setLanguage(language);
  const embed = (face: FaceName) =>
    Promise.all(fonts.files(face).map((file) => document.embedFont(file, { subset: true })));
  const [display, text] = await Promise.all([embed("display"), embed("text")]);
  const page = document.addPage([sheet.width, sheet.height]);
  if (sheet.trim) {
    const { x, y, width, height } = sheet.trim;
    const bleed = Math.max(...sheet.panels.map((panel) => panel.bleed));
    page.setTrimBox(x, y, width, height);
    page.setBleedBox(x - bleed, y - bleed, width + 2 * bleed, height + 2 * bleed);
  }
  stateColors(document, page);
  const pictures = new Map<Picture, PDFImage>();
  for (const shape of sheet.panels.flatMap(({ shapes }) => shapes)) {
    if (shape.kind !== "picture" || pictures.has(shape.picture)) continue;
    pictures.set(shape.picture, await document.embedPng(shape.picture.png));
  }
  const pens: Pens = { page, fonts, embedded: { display, text }, pictures };
  for (const panel of sheet.panels) drawPanel(pens, panel, sheet.height);
  for (const mark of sheet.marks) drawShape(pens, mark, sheet.height);
  return document.save();
}
