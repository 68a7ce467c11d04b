/** 10 to 200 letters of base64url: the database keeps no longer one, and Google names no bound. */
const PLACE_ID = /^[A-Za-z0-9_-]{10,200}$/;

/** Whether a text can be an identifier of a place at Google (Place ID). */
export function isPlaceId(text: string): boolean {
  return PLACE_ID.test(text);
}
