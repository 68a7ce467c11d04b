import type { Page } from "playwright-core";

/** Holds the requests to an address on the way, until the answer is called. */
export async function holdRequests(page: Page, address: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

/** Lets a page hear nothing of what changes elsewhere: it stands still, as where there is no way to the channels. */
export async function silenceChannels(page: Page): Promise<void> {
  await page.routeWebSocket("**/realtime/v1/**", () => {});
}

/** Cuts the line before the next request to an address reaches the server. */
export async function loseRequest(page: Page, address: string | RegExp): Promise<void> {
  await page.route(address, (route) => route.abort("connectionreset"), { times: 1 });
}

/** Cuts the line after the server has handled the next request to an address: its answer is lost. */
export async function loseAnswer(page: Page, address: string | RegExp): Promise<void> {
  await page.route(
    address,
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
}

/** Lets the next request to an address vanish: neither an answer nor an error comes back. */
export async function swallowRequest(page: Page, address: string | RegExp): Promise<void> {
  await page.route(address, () => {}, { times: 1 });
}

/**
 * Lets the server handle the next request to an address and keeps its answer back for ever.
 * The promise in the answer is kept once the server is done.
 */
export async function keepAnswerBack(
  page: Page,
  address: string | RegExp,
): Promise<{ handled: Promise<void> }> {
  let done = () => {};
  const handled = new Promise<void>((resolve) => {
    done = resolve;
  });
  await page.route(
    address,
    async (route) => {
      await route.fetch();
      done();
    },
    { times: 1 },
  );
  return { handled };
}
