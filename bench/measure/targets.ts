/** One figure beside what it should be. `met` is null when it could not be measured here. */
export type Target = { name: string; value: number | null; unit: string; target: string; met: boolean | null }

/** A figure that should stay below `limit`. */
export function below(name: string, value: number | null, limit: number, unit: string): Target {
  return { name, value, unit, target: `< ${limit}`, met: value === null ? null : value < limit }
}

/** A figure that should not pass `limit`. */
export function atMost(name: string, value: number | null, limit: number, unit: string): Target {
  return { name, value, unit, target: `≤ ${limit}`, met: value === null ? null : value <= limit }
}

/** A figure that should reach `limit`. */
export function atLeast(name: string, value: number | null, limit: number, unit: string): Target {
  return { name, value, unit, target: `≥ ${limit}`, met: value === null ? null : value >= limit }
}

/** Prints the `targets` of a result on standard error; answers whether one was missed. */
export function printTargets(result: object): boolean {
  const targets: Target[] = 'targets' in result && Array.isArray(result.targets) ? result.targets : []
  for (const { name, value, unit, target, met } of targets) {
    const mark = met === null ? '?' : met ? '✓' : '✗'
    const figure = value === null ? 'not measured' : `${value} ${unit}`
    console.error(`${mark} ${name.padEnd(44)} ${figure.padEnd(18)} target ${target} ${unit}`)
  }
  return targets.some(({ met }) => met === false)
}
