import { type AnyRouter, useRouter } from "@tanstack/react-router";

/** Paths of this tab's history by their place in it, as far as this visit knows them. */
const paths = new Map<number, string>();

/** Follows where the visitor is, so that going back can be told apart from opening the same list again. */
export function followVisitor(router: AnyRouter): void {
  router.subscribe("onResolved", ({ toLocation }) => {
    paths.set(toLocation.state.__TSR_index, toLocation.pathname);
  });
}

/**
 * Answers what goes back to a list as it was left, with its filters, its page and its place on the screen; false, and
 * nothing done, where the list is not what one came from. Tabs and dialogs that the page itself put into the history are
 * no place one came from.
 */
export function useWayBack(path: string): (options?: { ignoreBlocker: boolean }) => boolean {
  const { history } = useRouter();
  return (options) => {
    const { pathname, state } = history.location;
    let place = state.__TSR_index - 1;
    while (place >= 0 && paths.get(place) === pathname) place -= 1;
    if (paths.get(place) !== path) return false;
    history.go(place - state.__TSR_index, options);
    return true;
  };
}
