import { describe, expect, it } from "vitest";
import { Background } from "../../server/jobs/background.ts";

describe("Background", () => {
  it("waits for what is under way, and for nothing that is done", async () => {
    const background = new Background();
    const events: string[] = [];
    let finish = () => {};
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    }).then(() => events.push("done"));
    background.run(Promise.resolve(), () => {});
    background.run(work, () => {});
    const settled = background.settle(60_000).then(() => events.push("settled"));
    finish();
    await settled;
    expect(events).toEqual(["done", "settled"]);
    await background.settle(60_000);
  });

  it("does not wait for ever", async () => {
    const background = new Background();
    background.run(new Promise(() => {}), () => {});
    await background.settle(1);
  });

  it("reports what fails, and goes on", async () => {
    const background = new Background();
    const failures: unknown[] = [];
    background.run(Promise.reject(new Error("away")), (error) => failures.push(error));
    await background.settle(60_000);
    expect(failures).toHaveLength(1);
  });
});
