/** Returns the count at a path of an answer; null where there is none. */
export function numberIn(answer: unknown, ...path: string[]): number | null {
  const [name, ...rest] = path
  if (name === undefined) return typeof answer === 'number' && answer >= 0 ? Math.round(answer) : null
  if (typeof answer !== 'object' || answer === null) return null
  return numberIn(Object.entries(answer).find(([key]) => key === name)?.[1], ...rest)
}
