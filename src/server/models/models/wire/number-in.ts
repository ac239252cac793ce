/** Returns the count at a path of an answer; null where there is none. A few servers write it as a text. */
export function numberIn(answer: unknown, ...path: string[]): number | null {
  const [name, ...rest] = path
  if (name === undefined) {
    const count = typeof answer === 'string' && /^\d{1,12}$/.test(answer) ? Number(answer) : answer
    return typeof count === 'number' && count >= 0 ? Math.round(count) : null
  }
  if (typeof answer !== 'object' || answer === null) return null
  return numberIn(Object.entries(answer).find(([key]) => key === name)?.[1], ...rest)
}
