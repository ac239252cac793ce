import type { ModelMessage } from '../../../models/models/port.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'
import { claimNotes, hasNotes, markRead, type SteeringNote } from '../../steering/steering.ts'
import type { AgentKit } from '../kit.ts'
import type { Material } from './call-model.ts'

/** Messages that a person adds while a run works: read before a model call, and sent with it and with all later calls. */
export type Steering = {
  /** Reads what waits before the call of this number. Each read is a record, so that a replay reads the same messages. */
  read: (place: RunContext, number: number, length: number) => Promise<void>
  /** Returns the messages of a call with what was read so far. */
  tell: (place: RunContext, messages: ModelMessage[]) => ModelMessage[]
  /** Does the same for the findings of an agent, at their end. */
  tellWith: (material: Material) => Material
}

type Read = { place: RunContext; at: number; message: ModelMessage }

/** Sub-runs are not steered: what a person says is for the whole reply. */
export function createSteering(run: RunContext, kit: AgentKit): Steering {
  const read: Read[] = []
  return {
    read: async (place, number, length) => {
      for (const note of await readNotes(run, place, kit, number))
        read.push({ place, at: length, message: sayNote(note) })
    },
    tell: (place, messages) => insertAll(messages, place, read),
    tellWith: (material) => ({
      ...material,
      messages: [...material.messages, ...read.map(({ message }) => message)],
    }),
  }
}

async function readNotes(
  run: RunContext,
  place: RunContext,
  { db, clock }: AgentKit,
  number: number,
): Promise<SteeringNote[]> {
  const key = `steering:${number}`
  const { session_id: sessionId, user_id: userId, task, is_alternative } = run.input
  if (task !== undefined || is_alternative) return []
  if (!place.isDone(key)) {
    // A recorded call was made without it.
    if (place.isDone(`model:${number}`)) return []
    if (!(await run.look(key, () => hasNotes(db, { sessionId, userId })))) return []
  }
  return place.step(key, async (leaf) => {
    const now = clock.now()
    const notes = await claimNotes(db, { sessionId, userId }, now)
    if (notes.length === 0) return []
    const ids = notes.map(({ id }) => id)
    leaf.together((trx) => markRead(trx, ids, now))
    const timestamp = now.toISOString()
    for (const note of notes) leaf.afterwards({ event: 'agent_steered', ...note, timestamp })
    return notes
  })
}

/** Messages read in the same place keep their position; others come last. */
function insertAll(messages: ModelMessage[], place: RunContext, read: readonly Read[]): ModelMessage[] {
  const told = [...messages]
  let inserted = 0
  for (const note of read) {
    const at = note.place === place ? Math.min(note.at, messages.length) : messages.length
    told.splice(at + inserted, 0, note.message)
    inserted += 1
  }
  return told
}

function sayNote({ content }: SteeringNote): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text: `While you work, the person adds:\n${content}` }] }
}
