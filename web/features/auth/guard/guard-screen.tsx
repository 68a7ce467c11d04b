import { useEffect, useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { LoadingScreen } from "../../../ui/states/loading-screen.tsx";
import { guardCopy } from "./guard.copy.ts";

/** Waits behind the guard: first for who this is, then for what the page needs to know of them. */
export function GuardScreen() {
  const { auth } = useApp();
  const [isKnown, setIsKnown] = useState(auth.current() !== undefined);
  useEffect(() => {
    let isHere = true;
    auth.ready().then(
      () => isHere && setIsKnown(true),
      () => {},
    );
    return () => {
      isHere = false;
    };
  }, [auth]);
  return <LoadingScreen text={isKnown ? guardCopy.loading : guardCopy.checking} />;
}
