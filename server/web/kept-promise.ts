/** Promise that is made once for a key. One that is rejected is not kept: the next request makes it anew. */
export function keptPromise<K, V>(
  kept: Map<K, Promise<V>>,
  key: K,
  make: () => Promise<V>,
): Promise<V> {
  const known = kept.get(key);
  if (known) return known;
  const made = make();
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
}
