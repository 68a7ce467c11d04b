import { brandColors } from "../domain/rules/brand-colors.ts";
import {
  type Channels,
  channelsOf,
  contrastOf,
  luminance,
  textOf,
} from "../domain/rules/colors.ts";
import type { Brand } from "../domain/schemas/brand.ts";

/** How a mail looks: the product's way, or a merchant's. */
export type MailLook = {
  /** Whose name stands at the head, as a placeholder; null for the product's own. */
  head: string | null;
  /** Size of the logo that takes the name's place, in pixels; null without one. */
  logo: { width: number; height: number } | null;
  colors: MailColors;
  /** The merchant's plan keeps the product's name away. */
  isWhite: boolean;
};

type MailColors = {
  /** Buttons and the head of a ticket: white letters can be read on it, and it can be read on paper. */
  main: string;
  /** Ground of a ticket. */
  soft: string;
  /** The same two in the dark, where letters on the first are dark. */
  mainInDark: string;
  softInDark: string;
  /** Drawn over the card, unrolled; one for a merchant's colour. */
  stripe: readonly string[];
};

/** Colours of the brand that a mail needs: `web/ui/theme.css` has them for pages. */
export const LIGHT = {
  paper: "#fbfaf7",
  surface: "#ffffff",
  ink: "#1e1b2e",
  muted: "#5f5a72",
  line: "#e7e3da",
};
export const DARK = {
  paper: "#14121f",
  surface: "#1c1930",
  ink: "#f1eef9",
  muted: "#aca6c2",
  line: "#322d4a",
};

/** Contrast of readable text (WCAG AA). */
const READABLE = 4.5;

/** Largest logo that a mail shows, in points. */
const LOGO_BOX = { width: 176, height: 56 };

const PRODUCT_COLORS: MailColors = {
  main: "#7c3aed",
  soft: "#f3edfe",
  mainInDark: "#a78bfa",
  softInDark: "#2a2247",
  stripe: ["#8b5cf6", "#10b981", "#f59e0b", "#ef4444", "#06b6d4", "#ec4899"],
};

/** Look of the product's own mails. */
export const PRODUCT_LOOK: MailLook = {
  head: null,
  logo: null,
  colors: PRODUCT_COLORS,
  isWhite: false,
};

/** How a merchant's mail looks, named by a placeholder at its head. */
export function merchantLook(head: string, brand: Brand | null, isWhite: boolean): MailLook {
  return {
    head,
    logo: brand?.logo ? fitted(brand.logo) : null,
    colors: brand?.color ? colorsOf(brand.color) : PRODUCT_COLORS,
    isWhite,
  };
}

function fitted({ width, height }: { width: number; height: number }) {
  // The picture has twice the pixels that it is shown at.
  const scale = Math.min(0.5, LOGO_BOX.width / width, LOGO_BOX.height / height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

function colorsOf(color: string): MailColors {
  const { main, soft } = brandColors(color);
  // A colour that had to be darkened for paper regains its own lightness.
  const mainInDark = lightened(color);
  return {
    main,
    soft,
    mainInDark,
    softInDark: textOf(mixed(channelsOf(mainInDark), channelsOf(DARK.surface), 0.85)),
    stripe: [main],
  };
}

/** A colour as little lighter as it takes to be read in the dark: first as bright as its hue can be, then paler. */
function lightened(color: string): string {
  const from = channelsOf(color);
  const bright = brightest(from);
  const ground = luminance(channelsOf(DARK.surface));
  const steps: [Channels, Channels][] = [
    [from, bright],
    [bright, [255, 255, 255]],
  ];
  for (const [start, end] of steps) {
    for (let share = 0; share < 1; share += 0.02) {
      const tried = textOf(mixed(start, end, share));
      if (contrastOf(luminance(channelsOf(tried)), ground) >= READABLE) return tried;
    }
  }
  return "#ffffff";
}

/** The same hue at its brightest; what is nearly black has none that anybody chose. */
function brightest(color: Channels): Channels {
  const most = Math.max(...color);
  if (most < 32) return color;
  const [red, green, blue] = color;
  return [(red * 255) / most, (green * 255) / most, (blue * 255) / most];
}

function mixed(one: Channels, other: Channels, share: number): Channels {
  const mix = (a: number, b: number) => a * (1 - share) + b * share;
  return [mix(one[0], other[0]), mix(one[1], other[1]), mix(one[2], other[2])];
}
