import { Damage } from '../archive/damage.ts'
import { readClass } from './atrium-classes.ts'
import type { ElementReader, ForeignFork, ForeignMemoryUse, ForeignProject } from './foreign.ts'
import { asCount, asId, asList, asName, asObject, asObjects, asText, asTime } from './read-values.ts'

/** Reads a project without its members. Every person has a default workspace already. */
export const atriumProject: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'is_default' in value && 'instructions_version' in value,
  read: (value): ForeignProject | null => {
    const [id, name] = [asId(value.id), asName(value.name)]
    if (id === null || name === null) throw new Damage('damaged')
    if (value.is_default === true) return null
    const mark = asObject(value.mark)
    return {
      dataClass: readClass(value.data_class),
      ...{ kind: 'project', id, name, description: asName(value.description) },
      ...{ colour: value.colour, icon: value.icon },
      ...{ assistant: asId(value.assistant_id), model: asName(value.model_name) },
      documents: asList(value.documents).flatMap((one) => asId(one) ?? []),
      instructions: asObjects(value.versions).map((one) => ({
        text: asText(one.text),
        at: asTime(one.created_at),
      })),
      ...{ at: asTime(value.created_at), archived: asTime(value.archived_at) },
      mark: mark && {
        ...{ isPinned: mark.is_pinned === true, isCollapsed: mark.is_collapsed !== false },
        position: asCount(mark.position),
      },
    }
  },
}

export const atriumFork: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'fork' in value && 'forked_from' in value,
  read: (value): ForeignFork => {
    const [chat, from] = [asId(value.fork), asId(value.forked_from)]
    if (chat === null || from === null) throw new Damage('damaged')
    return { kind: 'fork', chat, from, message: asId(value.forked_message), end: asId(value.fork_end) }
  },
}

export const atriumMemoryUse: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'fact_id' in value && 'message_id' in value && 'place' in value,
  read: (value): ForeignMemoryUse | null => {
    const [chat, message, fact] = [asId(value.session_id), asId(value.message_id), asId(value.fact_id)]
    const [place, text] = [asCount(value.place), asName(value.text)]
    if (chat === null || message === null || fact === null || place === null || text === null)
      throw new Damage('damaged')
    return { kind: 'memory_use', chat, message, fact, place, text }
  },
}
