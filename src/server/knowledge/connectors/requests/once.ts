/** Returns a function that loads a value once. After a failure the next call loads it again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  return () => {
    known ??= load().catch((error) => {
      known = undefined
      throw error
    })
    return known
  }
}
