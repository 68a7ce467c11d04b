import { createContext, type ReactNode, use } from "react";

/**
 * Whether this is prerendered at build, before its operator is known: then both cases are written down, and
 * the server keeps the one that holds when it starts (`server/web/fill-page.ts`).
 */
export const Unfilled = createContext(false);

type DeploymentValueProps<Value> = {
  /** Name of what may be missing, as the server knows it. */
  entry: string;
  value: Value | null | false;
  children: (value: Value) => ReactNode;
  otherwise?: ReactNode;
};

/** Shows one thing where something is configured, and another where it is not. */
export function DeploymentValue<Value>({
  entry,
  value,
  children,
  otherwise,
}: DeploymentValueProps<Value>) {
  const isUnfilled = use(Unfilled);
  const isKnown = value !== null && value !== false;
  const shown = isKnown && children(value);
  // Two places in both cases: what is hydrated must find itself where it was prerendered.
  if (!isUnfilled) {
    return (
      <>
        {shown}
        {!isKnown && otherwise}
      </>
    );
  }
  return (
    <>
      <when-known entry={entry}>{shown}</when-known>
      <when-unknown entry={entry}>{otherwise}</when-unknown>
    </>
  );
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "when-known": { entry: string; children?: ReactNode };
      "when-unknown": { entry: string; children?: ReactNode };
    }
  }
}
