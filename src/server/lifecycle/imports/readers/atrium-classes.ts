import { Id } from '#shared/platform/primitives.ts'
import type { ForeignClass, ForeignSource } from './foreign.ts'
import { asName, asObject, asObjects } from './read-values.ts'

const kinds: readonly ForeignSource['kind'][] = ['document', 'project', 'connector', 'database']
/** Sources of one chat that are read. */
const MAX_SOURCES = 10_000

const uuid = (value: unknown): string | null => Id.safeParse(value).data ?? null

/** Reads the class of data of a thing; null when it had none. */
export function readClass(value: unknown): ForeignClass | null {
  const { id, name } = asObject(value) ?? {}
  const found = { id: uuid(id), name: asName(name) }
  return found.id === null && found.name === null ? null : found
}

/** Reads the things whose text is in a chat. */
export function readSources(value: unknown): ForeignSource[] {
  return asObjects(value)
    .slice(0, MAX_SOURCES)
    .flatMap((one) => {
      const [kind, id] = [kinds.find((known) => known === one.kind), uuid(one.id)]
      return kind && id ? [{ kind, id, class_id: uuid(one.class_id), class: asName(one.class) }] : []
    })
}
