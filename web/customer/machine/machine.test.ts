import { expect, it, vi } from "vitest";
import { createMachine } from "./machine.ts";

type Count = { count: number };

/** Counts; a word that is no number stays unheard, and « echo » commands one step more. */
function counting(run: (command: string) => void = () => {}) {
  const transition = (state: Count, event: string) => ({
    state: event === "silence" ? state : { count: state.count + 1 },
    commands: event === "echo" ? ["step"] : [],
  });
  return createMachine(transition, { count: 0 }, (command: string, send) => {
    run(command);
    send(command);
  });
}

it("whoever watches hears of every change, of nothing else, and of none once they have stopped", () => {
  const machine = counting();
  const [heard, other] = [vi.fn(), vi.fn()];
  const stop = machine.watch(heard);
  machine.watch(other);
  machine.send("silence");
  expect(heard).not.toHaveBeenCalled();
  machine.send("step");
  expect(heard).toHaveBeenCalledTimes(1);
  stop();
  machine.send("step");
  expect(heard).toHaveBeenCalledTimes(1);
  expect(other).toHaveBeenCalledTimes(2);
});

it("a command runs within the event that asked for it, and finds the state that follows", () => {
  const counts: number[] = [];
  const machine = counting(() => counts.push(machine.current().count));
  machine.send("echo");
  expect(counts).toEqual([1]);
  expect(machine.current()).toEqual({ count: 2 });
});
