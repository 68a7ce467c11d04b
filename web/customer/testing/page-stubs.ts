import { vi } from "vitest";
import { stubBrowser } from "./browser-stubs.ts";

/** Request that a page has made. */
type Asked = { path: string; body: unknown };

/** A page in a browser of which a test sees the history, the requests and the tabs. */
type StubbedPage = {
  asked: Asked[];
  opened: string[];
  places: unknown[];
  /** Goes back to a place of the history. */
  goTo: (state: unknown) => void;
  reloads: () => number;
};

/**
 * Opens a page with the storages of `keepStorage`. On its network requests wait for ever, are lost, or bring an answer
 * that the server's own functions have made.
 */
export function stubPage({
  search = "",
  arrival = "navigate",
  hasNetwork = true,
  hasStorage = true,
  keepStorage = false,
  answer,
}: {
  search?: string;
  arrival?: "navigate" | "reload";
  hasNetwork?: boolean;
  hasStorage?: boolean;
  keepStorage?: boolean;
  answer?: () => Response;
} = {}): StubbedPage {
  if (!keepStorage) stubBrowser({ hasStorage });
  const asked: Asked[] = [];
  const opened: string[] = [];
  const places: unknown[] = [];
  const backs: ((event: { state: unknown }) => void)[] = [];
  let reloads = 0;

  class NavigationTiming {
    readonly type = arrival;
  }
  const history = {
    state: null as unknown,
    replaceState(state: unknown) {
      history.state = state;
      places.splice(-1, 1, state);
    },
    pushState(state: unknown) {
      history.state = state;
      places.push(state);
    },
  };
  vi.stubGlobal("PerformanceNavigationTiming", NavigationTiming);
  vi.spyOn(performance, "getEntriesByType").mockImplementation(() => {
    const entry: PerformanceEntry = Object.assign(new NavigationTiming(), {
      name: "",
      entryType: "navigation",
      startTime: 0,
      duration: 0,
      toJSON: () => ({}),
    });
    return [entry];
  });
  vi.stubGlobal("history", history);
  vi.stubGlobal("location", {
    search,
    reload() {
      reloads += 1;
    },
  });
  vi.stubGlobal("addEventListener", (type: string, listener: (typeof backs)[number]) => {
    if (type === "popstate") backs.push(listener);
  });
  vi.stubGlobal("fetch", (address: string, { body }: { body?: string } = {}) => {
    const path = address.slice(address.lastIndexOf("/") + 1);
    asked.push({ path, body: body === undefined ? null : JSON.parse(body) });
    if (answer) return Promise.resolve(answer());
    return hasNetwork ? new Promise(() => {}) : Promise.reject(new TypeError("Failed to fetch"));
  });
  Object.assign(window, { open: (url: string) => opened.push(url) });

  return {
    asked,
    opened,
    places,
    goTo(state) {
      history.state = state;
      for (const back of backs) back({ state });
    },
    reloads: () => reloads,
  };
}
