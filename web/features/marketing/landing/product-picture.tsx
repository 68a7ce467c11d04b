type ProductPictureProps = {
  /** File of `web/public/product`, made by `npm run pictures` of the product as it is. */
  name: string;
  /** Alternative text for screen readers. */
  text: string;
  width: number;
  height: number;
  className?: string;
};

/** A picture of the real product. Fetched when one comes near it: the first screen needs none. */
export function ProductPicture({ name, text, width, height, className = "" }: ProductPictureProps) {
  return (
    <img
      src={`/product/${name}.webp`}
      alt={text}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      className={`h-auto w-full ${className}`}
    />
  );
}
