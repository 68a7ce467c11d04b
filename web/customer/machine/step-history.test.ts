import { afterEach, expect, it, vi } from "vitest";
import { followSteps } from "./step-history.ts";

afterEach(() => vi.unstubAllGlobals());

/** A page whose machine shows what it is told to, and whose browser remembers places. */
function open(arrivedAt: unknown = null) {
  const places: unknown[] = [arrivedAt];
  const watchers: (() => void)[] = [];
  const events = new EventTarget();
  let step = "form";
  vi.stubGlobal("addEventListener", events.addEventListener.bind(events));
  vi.stubGlobal("history", {
    get state() {
      return places.at(-1);
    },
    pushState: (state: unknown) => places.push(state),
    replaceState: (state: unknown) => places.splice(-1, 1, state),
  });
  const show = (next: string) => {
    step = next;
    for (const watch of watchers) watch();
  };
  const machine = {
    current: () => ({ step }),
    send: () => {},
    watch: (watch: () => void) => {
      watchers.push(watch);
      return () => {};
    },
  };
  const revisited = vi.fn(show);
  followSteps(machine, (from, to) => from === "form" && to === "rating", revisited);
  const back = () => {
    places.pop();
    events.dispatchEvent(Object.assign(new Event("popstate"), { state: places.at(-1) }));
  };
  return { places, show, back, revisited };
}

it("a step that one can come back from has a place of its own, others take the place before", () => {
  const { places, show } = open();
  expect(places).toEqual([{ step: "form" }]);
  show("rating");
  show("rating");
  expect(places).toEqual([{ step: "form" }, { step: "rating" }]);
  show("ready");
  expect(places).toEqual([{ step: "form" }, { step: "ready" }]);
});

it("« back » shows the step before, once, and nothing where it is shown already or is no step", () => {
  const { places, show, back, revisited } = open({ step: "rating" });
  expect(places).toEqual([{ step: "rating" }]);
  places.push({ other: "page" }, { step: "form" }, { step: "form" });
  show("rating");
  back();
  expect(revisited.mock.calls).toEqual([["form"]]);
  expect(places).toHaveLength(4);
  back();
  back();
  expect(revisited).toHaveBeenCalledOnce();
  back();
  expect(revisited.mock.calls).toEqual([["form"], ["rating"]]);
  expect(places).toEqual([{ step: "rating" }]);
});
