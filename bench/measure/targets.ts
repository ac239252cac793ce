/** A measured value and its target. `met` is null when it could not be measured here. */
export type Target = { name: string; value: number | null; unit: string; target: string; met: boolean | null }

/** Requires a value below `limit`. */
export function below(name: string, value: number | null, limit: number, unit: string): Target {
  return { name, value, unit, target: `< ${limit}`, met: value === null ? null : value < limit }
}

/** Requires a value of at most `limit`. */
export function atMost(name: string, value: number | null, limit: number, unit: string): Target {
  return { name, value, unit, target: `≤ ${limit}`, met: value === null ? null : value <= limit }
}

/** Requires a value of at least `limit`. */
export function atLeast(name: string, value: number | null, limit: number, unit: string): Target {
  return { name, value, unit, target: `≥ ${limit}`, met: value === null ? null : value >= limit }
}

/** Prints the `targets` of a result to standard error; returns true when one was missed. */
export function printTargets(result: object): boolean {
  const targets: Target[] = 'targets' in result && Array.isArray(result.targets) ? result.targets : []
  for (const { name, value, unit, target, met } of targets) {
    const mark = met === null ? '?' : met ? '✓' : '✗'
    const figure = value === null ? 'not measured' : `${value} ${unit}`
    console.error(`${mark} ${name.padEnd(44)} ${figure.padEnd(18)} target ${target} ${unit}`)
  }
  return targets.some(({ met }) => met === false)
}
