import { startClear } from "./clear-parts.ts";
import "./clear.css";

const clear = document.querySelector<HTMLElement>("[data-clear]");
if (clear) startClear(clear);
