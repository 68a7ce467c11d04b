/** The project's folder, seen from here and from the bundle that the build makes of the server (`dist/server.js`). */
export const ROOT = new URL("../", import.meta.url);
