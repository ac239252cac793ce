import { Damage } from '../archive/damage.ts'
import type { ElementReader, ForeignCall, ForeignFact, ForeignMedia, ForeignSchedule } from './foreign.ts'
import { asCount, asId, asName, asObjects, asText, asTime } from './read-values.ts'

/** Reads a fact of the memory, of a person or of a project. */
export const atriumFact: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'learned_at' in value && 'origin' in value && 'state' in value,
  read: (value): ForeignFact => {
    const [id, text, learned] = [asId(value.id), asName(value.text), asTime(value.learned_at)]
    const [state, origin] = [stateOf(value.state), originOf(value.origin)]
    if (id === null || text === null || learned === null || !state || !origin) throw new Damage('damaged')
    return {
      ...{ kind: 'fact', id, text, state, origin, learned, of: asId(value.fact_id) },
      ...{ replaced: asTime(value.replaced_at), used: asTime(value.used_at) },
      ...{ uses: Math.min(asCount(value.uses) ?? 0, MAX_USES), project: asId(value.workspace_id) },
      ...{ chat: asId(value.session_id), message: asId(value.message_id) },
    }
  },
}

const stateOf = (value: unknown) => (['kept', 'proposed', 'replaced'] as const).find((one) => one === value)
const originOf = (value: unknown) =>
  (['proposal', 'remember', 'manual'] as const).find((one) => one === value)

const MAX_USES = 1_000_000

export const atriumSchedule: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'rule' in value && 'anchor_at' in value && 'overlap' in value,
  read: (value): ForeignSchedule => {
    const [id, name] = [asId(value.id), asName(value.name)]
    if (id === null || name === null) throw new Damage('damaged')
    const things = asObjects(value.things).flatMap((thing) => {
      const named = asId(thing.id)
      return named === null ? [] : [{ kind: asText(thing.kind), id: named, name: asText(thing.name) }]
    })
    return { kind: 'schedule', id, name, settings: value, things, anchor: asTime(value.anchor_at) }
  },
}

/** Reads the whole input and result of a tool call. Its reply is in a chat, which comes earlier in the archive. */
export const atriumCall: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'tool_id' in value && 'run_id' in value && 'result' in value,
  read: (value): ForeignCall | null => {
    const id = asId(value.id)
    if (id === null) throw new Damage('damaged')
    const [input, result] = [value.input ?? null, value.result ?? null]
    return { kind: 'call', id, input, result, error: asName(value.error), ended: asTime(value.finished_at) }
  },
}

export const atriumMedia: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'media_type' in value && 'run_id' in value && 'size' in value,
  read: (value, shelf): ForeignMedia | null => {
    const [id, name] = [asId(value.id), asName(value.name)]
    if (id === null || name === null) throw new Damage('damaged')
    const [chat, message] = [asId(value.session_id), asId(value.message_id)]
    // Nothing in a chat shows it.
    if (chat === null || message === null) return null
    const member = shelf.findMade(id)
    const content = member === null ? null : { from: 'member' as const, name: member }
    return {
      kind: 'media',
      file: { id: `media/${id}`, name, content },
      id,
      chat,
      message,
      at: asTime(value.created_at),
    }
  },
}
