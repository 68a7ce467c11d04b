/** A UUID (version 4) made of the first 122 bits that a hash in hexadecimal has for it. */
export function asUuid(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
