import { request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../server/http/http-server.ts";

async function start() {
  const http = await listen("127.0.0.1", 0);
  onTestFinished(() => http.stop());
  return { http, url: `http://127.0.0.1:${http.port}` };
}

describe("listen", () => {
  it("lets who comes early wait for the answer", async () => {
    const { http, url } = await start();
    const arrived = new Promise((resolve) => http.server.once("request", resolve));
    const early = fetch(url);
    await arrived;
    http.answerWith((_, response) => void response.end("bonjour"));
    expect(await (await early).text()).toBe("bonjour");
  });

  it("answers the request in flight, and closes its connection after it", async () => {
    const { http, url } = await start();
    const answers: (() => void)[] = [];
    const arrived = new Promise<void>((resolve) => {
      http.answerWith((_, response) => {
        answers.push(() => response.end("fini"));
        resolve();
      });
    });
    const asked = fetch(url);
    await arrived;
    const stopped = http.stop();
    await expect(fetch(url)).rejects.toThrow();
    for (const answer of answers) answer();
    const response = await asked;
    expect(response.headers.get("connection")).toBe("close");
    expect(await response.text()).toBe("fini");
    await stopped;
  });

  it("closes a connection that was answering when it stopped, once the answer is through", async () => {
    const { http, url } = await start();
    let finish = () => {};
    const begun = new Promise<void>((resolve) => {
      http.answerWith((_, response) => {
        response.write("début ");
        finish = () => response.end("fin");
        resolve();
      });
    });
    const text = new Promise<string>((resolve, reject) => {
      request(url, { headers: { connection: "keep-alive" } }, (response) => {
        let body = "";
        response.on("data", (chunk) => {
          body += chunk;
        });
        response.on("end", () => resolve(body));
      })
        .on("error", reject)
        .end();
    });
    await begun;
    const startedAt = performance.now();
    const stopped = http.stop();
    finish();
    expect(await text).toBe("début fin");
    await stopped;
    // Not the ten seconds after which connections are cut.
    expect(performance.now() - startedAt).toBeLessThan(9_000);
  });
});
