/**
 * Makes a call at most once per key, such as a single-use token, however often a component requests it. A failed call stays
 * failed.
 */
export function oncePerKey<Result>(act: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const made = new Map<string, Promise<Result>>()
  return (key) => {
    const known = made.get(key) ?? act(key)
    made.set(key, known)
    return known
  }
}
