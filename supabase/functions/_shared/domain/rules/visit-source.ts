/** Source of a visit: `qr`, or a short word that the merchant puts into a link. */
export const VISIT_SOURCE = /^[a-z0-9_-]{1,32}$/;
