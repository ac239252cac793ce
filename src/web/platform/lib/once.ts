/**
 * Makes a call that may be made once per key (a token that works once) be made once, however often a component asks
 * for it. A failed call stays failed.
 */
export function oncePerKey<Result>(act: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const made = new Map<string, Promise<Result>>()
  return (key) => {
    const known = made.get(key) ?? act(key)
    made.set(key, known)
    return known
  }
}
