import type { IncomingMessage, ServerResponse } from "node:http";
import type { PaintedPage } from "../../web/customer/page-data.ts";
import type { Document } from "../http/send.ts";

/** The web as the server sees it: built once (production), or made on request (development). */
export type Web = {
  /** A file by its exact path; undefined when there is none. */
  file(path: string): Document | undefined;
  /** The application's page, which shows whatever the address asks for. */
  application(path: string): Promise<Document>;
  /** A phone page for one state; null asks for the page that finds its own data. */
  customer(page: PaintedPage | null, path: string): Promise<Document>;
  /** Gets every request first and passes on those that it does not know. */
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
};
