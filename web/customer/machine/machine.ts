type Transition<State, Command> = { state: State; commands: Command[] };

/** A running state machine, which views can watch. */
export type Machine<State, Event> = {
  current: () => State;
  send: (event: Event) => void;
  /** Calls back after every change of state; answers how to stop. */
  watch: (listener: () => void) => () => void;
};

/**
 * Runs a state machine. Commands run inside the very event that asked for them, never later:
 * a new tab may only be opened within the click.
 */
export function createMachine<State, Event, Command>(
  transition: (state: State, event: Event) => Transition<State, Command>,
  start: State,
  run: (command: Command, send: (event: Event) => void) => void,
): Machine<State, Event> {
  const listeners = new Set<() => void>();
  let state = start;

  function send(event: Event) {
    const next = transition(state, event);
    const hasChanged = next.state !== state;
    state = next.state;
    if (hasChanged) for (const listener of listeners) listener();
    for (const command of next.commands) run(command, send);
  }

  return {
    current: () => state,
    send,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
