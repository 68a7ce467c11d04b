import type { Logo } from "#domain/schemas/brand.ts";
import { logoAddress } from "../ui/project-address.ts";

/** Largest size on screen; half of what the picture may measure, for sharp screens. */
const BOX = { width: 192, height: 64 };

/**
 * A merchant's logo at the head of their pages, in the place of the store's initial. One side and the proportions are
 * known before it is there, so that nothing moves when it comes.
 */
export function BrandLogo({ logo, of }: { logo: Logo; of: string }) {
  const [width, height] = [logo.width / 2, logo.height / 2];
  const isWide = width / height > BOX.width / BOX.height;
  const isSmall = width < BOX.width && height < BOX.height;
  // Smaller where every line of the page counts.
  const size = isWide ? "w-36 h-auto tall:w-48" : "h-12 w-auto tall:h-16";
  return (
    <div data-logo="" className="flex justify-center px-4 pt-3 sm:px-6 print:justify-start">
      <img
        src={logoAddress(logo.path)}
        alt={of}
        width={Math.round(width)}
        height={Math.round(height)}
        className={isSmall ? "" : size}
      />
    </div>
  );
}
