import { AppError } from '#shared/platform/errors.ts'
import type { JsonSchema } from '../../../models/models/port.ts'
import { isRecord } from '../schemas.ts'

/** The kept part of a value: all of it, or the parts under these names. `*` matches the entries of a list, or all names. */
export type Keep = true | Map<string, Keep>

/** Parses a path such as `$.alerts[*].label` into its steps. @throws AppError `invalid` */
export function readPath(path: string): string[] {
  const steps = [...path.matchAll(/\.([\w$-]+)|\[(\*|\d{1,6})\]|\["([^"\]]{1,200})"\]|\.(\*)/g)]
  if (path === '$') return []
  const read = steps.map(([step]) => step).join('')
  if (steps.length === 0 || path !== `$${read}`)
    throw new AppError('invalid', `“${path}” is not a path. Write one such as $.alerts[*].label.`)
  return steps.map(([, name, place, quoted, all]) => name ?? place ?? quoted ?? all ?? '')
}

/** Combines several paths. */
export function joinPaths(paths: readonly string[]): Keep {
  if (paths.length === 0) return true
  let kept: Keep = new Map()
  for (const path of paths) kept = addPath(kept, readPath(path))
  return kept
}

function addPath(kept: Keep, [step, ...rest]: string[]): Keep {
  if (kept === true || step === undefined) return true
  kept.set(step, addPath(kept.get(step) ?? new Map(), rest))
  return kept
}

/** Returns the parts a schema names; all if it names none. */
export function namedBy(schema: JsonSchema): Keep {
  const { properties, items, additionalProperties } = schema
  if (isRecord(properties) && additionalProperties !== true && !isRecord(additionalProperties))
    return new Map(Object.entries(properties).map(([name, one]) => [name, namedBy(one as JsonSchema)]))
  return isRecord(items) ? new Map([['*', namedBy(items)]]) : true
}

/** Returns the kept part of a value; undefined if there is none. */
export function keepOf(value: unknown, keep: Keep): unknown {
  if (keep === true) return value
  if (Array.isArray(value)) {
    const entries = value.flatMap((one, index) => {
      const found = keepUnder(one, keep, String(index))
      return found === undefined ? [] : [found]
    })
    return entries.length > 0 || value.length === 0 ? entries : undefined
  }
  if (!isRecord(value)) return undefined
  const entries = Object.entries(value).flatMap(([name, one]) => {
    const found = keepUnder(one, keep, name)
    return found === undefined ? [] : [[name, found] as const]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function keepUnder(value: unknown, keep: Map<string, Keep>, name: string): unknown {
  const own = keep.get(name) ?? keep.get('*')
  return own === undefined ? undefined : keepOf(value, own)
}
