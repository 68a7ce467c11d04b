import { QueryObserver } from "@tanstack/react-query";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { AppError } from "./app-error.ts";
import { createQueryClient } from "./query-client.ts";

/** A client whose screen has asked what one may do, and how often it has. */
async function screen() {
  const calls = { workspace: 0, expired: 0 };
  const client = createQueryClient({
    expire: async () => void calls.expired++,
    requireSecondFactor: async () => {},
  });
  const observer = new QueryObserver(client, {
    queryKey: ["workspace"],
    queryFn: async () => ++calls.workspace,
  });
  observer.subscribe(() => {});
  await expect.poll(() => calls.workspace).toBe(1);
  return { client, calls };
}

/** Failures in a query, and in a change. */
const failings = {
  query: (client: ReturnType<typeof createQueryClient>, error: Error) =>
    client.fetchQuery({ queryKey: ["customers"], queryFn: () => Promise.reject(error) }),
  change: (client: ReturnType<typeof createQueryClient>, error: Error) =>
    client
      .getMutationCache()
      .build(client, { mutationFn: () => Promise.reject(error) })
      .execute(undefined),
};

describe.each(["query", "change"] as const)("a %s", (kind) => {
  test("that is refused makes the screen ask anew what one may do", async () => {
    const { client, calls } = await screen();
    const refused = failings[kind](client, new AppError("forbidden", { status: 403 }));
    await expect(refused).rejects.toThrow("forbidden");
    await expect.poll(() => calls.workspace).toBe(2);
  });

  test.each(["export_forbidden", "brand_forbidden", "organization_suspended"])(
    "that a server function refuses does so, too: %s",
    async (code) => {
      const { client, calls } = await screen();
      await expect(failings[kind](client, new AppError(code, { status: 403 }))).rejects.toThrow();
      await expect.poll(() => calls.workspace).toBe(2);
    },
  );

  test("that fails for another reason does not", async () => {
    const { client, calls } = await screen();
    const error = new AppError("23505", { status: 409 });
    await expect(failings[kind](client, error)).rejects.toThrow("23505");
    expect(client.isFetching()).toBe(0);
    expect(calls.workspace).toBe(1);
  });
});

test("a change that met no row asks anew, too: a policy refuses so", async () => {
  const { client, calls } = await screen();
  await expect(failings.change(client, new AppError("store_conflict"))).rejects.toThrow();
  await expect.poll(() => calls.workspace).toBe(2);
});

test("a lost network does not", async () => {
  const { client, calls } = await screen();
  await expect(failings.change(client, new AppError("network"))).rejects.toThrow();
  expect(client.isFetching()).toBe(0);
  expect(calls.workspace).toBe(1);
});

test("being refused what one may do asks for nothing, and a session that is over ends", async () => {
  const { client, calls } = await screen();
  for (const code of ["forbidden", "unauthenticated"]) {
    const queryFn = () => Promise.reject(new AppError(code, { status: 403 }));
    await expect(client.fetchQuery({ queryKey: ["workspace", code], queryFn })).rejects.toThrow(
      code,
    );
  }
  expect(client.isFetching()).toBe(0);
  expect(calls).toEqual({ workspace: 1, expired: 1 });
});

test("a change asks again for what was still loading for the first time", async () => {
  const { client } = await screen();
  const answers: ((count: number) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ["codes"],
    queryFn: () => new Promise<number>((answer) => answers.push(answer)),
  });
  observer.subscribe(() => {});
  const shown = client.fetchQuery({ queryKey: ["codes"], queryFn: () => Promise.resolve(-1) });
  await expect.poll(() => answers.length).toBe(1);
  const renewed = client.invalidateQueries({ queryKey: ["codes"] });
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(10);
  answers[0]?.(0);
  await renewed;
  expect(observer.getCurrentResult().data).toBe(10);
  expect(await shown).toBe(10);
});

test("a change that fails for want of a network says so before the lists that it renews are asked again", async () => {
  const { client } = await screen();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const observer = new QueryObserver(client, {
    queryKey: ["rewards"],
    initialData: 1,
    staleTime: Infinity,
    queryFn: () => {
      asked++;
      return Promise.reject(new AppError("network"));
    },
  });
  onTestFinished(observer.subscribe(() => {}));
  const failed = client
    .getMutationCache()
    .build(client, {
      mutationFn: () => Promise.reject(new AppError("network")),
      onSettled: () => client.invalidateQueries({ queryKey: ["rewards"] }),
    })
    .execute(undefined);
  await expect(failed).rejects.toThrow("network");
  // Its own next tries go on behind it.
  expect(asked).toBe(1);
  await vi.runAllTimersAsync();
  expect(asked).toBe(3);
});

test("a change waits for the lists that it renews, whatever fails beside them", async () => {
  const { client } = await screen();
  let answer = (_: number) => {};
  const observer = new QueryObserver(client, {
    queryKey: ["rewards"],
    initialData: 1,
    staleTime: Infinity,
    queryFn: () => new Promise<number>((resolve) => (answer = resolve)),
  });
  onTestFinished(observer.subscribe(() => {}));
  let isOver = false;
  const renewed = client.invalidateQueries({ queryKey: ["rewards"] }).then(() => {
    isOver = true;
  });
  const queryKey = ["reviews"];
  const queryFn = () => Promise.reject(new AppError("network"));
  onTestFinished(new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {}));
  await expect.poll(() => client.getQueryState(queryKey)?.fetchFailureCount).toBe(1);
  expect(isOver).toBe(false);
  answer(2);
  await renewed;
  expect(observer.getCurrentResult().data).toBe(2);
});
