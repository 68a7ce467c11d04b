import { join } from "node:path";
import { generate } from "lean-qr";
import type { Config } from "../config/config.ts";
import { isLoopback } from "../network/local-host.ts";
import type { RunningServer } from "../server.ts";
import { fillText } from "./fill-text.ts";
import { runCopy } from "./run.copy.ts";

/** Text that the terminal shows once the server answers: its address, and how to try it. */
export function welcome(
  config: Pick<Config, "host" | "publicUrl" | "isProduction" | "mail">,
  server: Pick<RunningServer, "publicUrl" | "port" | "dataFolder" | "movedFrom" | "demo">,
  { colours }: { colours: boolean },
): string {
  const { publicUrl, dataFolder, movedFrom, demo } = server;
  const bold = (text: string) => (colours ? `\x1b[1m${text}\x1b[22m` : text);
  const row = (label: string, value: string) => `  ${label.padEnd(24)}${value}`;
  const lines = ["", bold(runCopy.title), "", row(runCopy.address, bold(publicUrl))];
  if (!config.isProduction && config.mail === null) {
    // The listener answers to no other host name.
    lines.push(row(runCopy.mailbox, `http://localhost:${server.port}/_dev/mailbox`));
  }
  if (demo) {
    const campaignUrl = `${publicUrl}/c/${demo.slug}`;
    const isOpenToOthers = config.publicUrl !== null || !isLoopback(config.host);
    const password =
      demo.password === null
        ? demo.isPasswordGiven
          ? runCopy.passwordGiven
          : runCopy.passwordUnknown
        : isOpenToOthers
          ? fillText(runCopy.passwordHidden, {
              file: join(dataFolder, "secrets", "demo-password"),
            })
          : bold(demo.password);
    lines.push(
      row(runCopy.signIn, demo.email),
      row(runCopy.password, password),
      row(runCopy.campaign, bold(campaignUrl)),
      "",
      drawQrCode(campaignUrl, colours),
      "",
    );
    if (!isOpenToOthers) lines.push(runCopy.lanHint);
  } else {
    lines.push("");
  }
  if (movedFrom !== null) {
    lines.push(fillText(runCopy.moved, { asked: movedFrom, folder: dataFolder }));
  }
  lines.push(runCopy.stopHint, "");
  return lines.join("\n");
}

/** Light squares around a code: readers need the margin. */
const MARGIN = 2;

/**
 * A QR code in half-height blocks. With colours it is black on white whatever the
 * terminal's own are; without, light squares are drawn, as on a dark terminal.
 */
function drawQrCode(text: string, colours: boolean): string {
  const code = generate(text);
  const isDark = (x: number, y: number) => code.get(x, y);
  const lines: string[] = [];
  for (let y = -MARGIN; y < code.size + MARGIN; y += 2) {
    let line = "";
    for (let x = -MARGIN; x < code.size + MARGIN; x++) {
      line += halfBlock(!isDark(x, y), !isDark(x, y + 1) && y + 1 < code.size + MARGIN);
    }
    lines.push(colours ? `  \x1b[97;40m${line}\x1b[0m` : `  ${line}`);
  }
  return lines.join("\n");
}

/** One character for two squares, one above the other; what is filled is light. */
function halfBlock(above: boolean, below: boolean): string {
  if (above) return below ? "█" : "▀";
  return below ? "▄" : " ";
}
