/**
 * A moment so many seconds ahead (ago when negative) of the machine's clock, which is the database's too: for rows and
 * arguments that SQL compares with `now()`. A second either way is enough; what is nearer depends on which came first.
 */
export function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}
