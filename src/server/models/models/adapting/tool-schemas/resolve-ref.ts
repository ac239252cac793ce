import type { JsonSchema } from '../../port.ts'
import { record } from './schema-parts.ts'

/** Expansions of a recursive definition. Beyond them only its type and description remain. */
const MAX_REPEATS = 2

/** The document of a schema, and the number of open expansions of each reference. */
export type RefWalk = { root: JsonSchema; refs: Map<string, number> }

/** Returns a schema with its reference expanded. `leave` closes the expansion. */
export function resolveRef(schema: JsonSchema, walk: RefWalk): { schema: JsonSchema; leave: () => void } {
  const { $ref, $defs: _, definitions: __, ...rest } = schema
  if (typeof $ref !== 'string') return { schema: rest, leave: () => undefined }
  const times = walk.refs.get($ref) ?? 0
  const target = record(findRef(walk.root, $ref))
  if (times >= MAX_REPEATS) {
    const { type, description } = target
    const said = rest.description ?? description ?? `Again ${$ref.split('/').at(-1)}.`
    return { schema: { ...(type !== undefined && { type }), description: said }, leave: () => undefined }
  }
  walk.refs.set($ref, times + 1)
  const inner = resolveRef({ ...target, ...rest }, walk)
  return {
    schema: inner.schema,
    leave: () => {
      inner.leave()
      walk.refs.set($ref, times)
    },
  }
}

/** Returns the target of a reference within the document: `#`, `#/$defs/Node`, `#/properties/a/items`. */
function findRef(root: JsonSchema, ref: string): unknown {
  if (!ref.startsWith('#')) return {}
  const steps = ref.slice(1).split('/').filter(Boolean)
  return steps.reduce<unknown>((place, step) => {
    const name = safeDecode(step).replaceAll('~1', '/').replaceAll('~0', '~')
    return Object.hasOwn(Object(place), name) ? (place as Record<string, unknown>)[name] : undefined
  }, root)
}

function safeDecode(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
