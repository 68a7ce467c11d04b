import type { Page } from "playwright-core";

/** Waits until a page's channel is joined: until then nothing is heard. */
export function joined(page: Page, kind: "activity" | "codes" | "plan"): Promise<unknown> {
  return page.waitForEvent("websocket").then((socket) =>
    socket.waitForEvent("framereceived", ({ payload }) => {
      const text = payload.toString();
      return text.includes(`:${kind}"`) && text.includes('"status":"ok"');
    }),
  );
}
