import type { PromptField } from '#shared/chat/prompts/fields.ts'
import { EVENT_FIELDS } from '#shared/chat/schedules/rule.ts'
import type { UsedThing } from '#shared/chat/schedules/settings.ts'
import type { DeliveryKind } from '#shared/chat/schedules/triggers.ts'
import { findAllowed } from '../../../platform/access/access.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import type { Deps } from '../../../tools/deps.ts'
import { keepReadable, readEndedRun } from './event-store.ts'

/** The delivery of a slot, as it is stored. */
export type SlotDelivery = {
  kind: DeliveryKind
  field_values: Record<string, string>
  document_id: string | null
  run_id: string | null
  /** Documents of the attachments of a mail, in their order. */
  files: string[]
}

/**
 * The data that a delivery gives to a run: texts of fields, the document that it is about, and the documents that are sent with the message.
 */
export type EventData = {
  kind: DeliveryKind
  values: Record<string, string>
  documents: UsedThing[]
  files: string[]
}

const MAX_RESULT_CHARACTERS = 10_000

/**
 * Returns the data of a delivery with the current rights of the owner. A document gives `document`, a run gives `name`, `state`
 * and `result`. A mail gives `from`, `subject`, `text` and `files`, all of them when the prompt names none. @throws AppError `not_found`, `forbidden` for what the owner may not read
 */
export async function readEventData(
  { db }: Deps,
  owner: Caller,
  { kind, field_values, document_id, run_id, files }: SlotDelivery,
  fields: readonly PromptField[],
): Promise<EventData> {
  const chosen = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => fields.some((field) => field.name === name)))
  if (kind === 'document' && document_id) {
    const { id, name } = await findAllowed(db, owner, 'read document', document_id)
    return {
      kind,
      values: chosen({ document: name }),
      documents: [{ kind: 'document', id, name }],
      files: [],
    }
  }
  if (kind === 'run' && run_id) {
    const { session_id, state, result } = await readEndedRun(db, run_id)
    const { title } = await findAllowed(db, owner, 'read session', session_id)
    const values = { name: title, state, result: result.slice(0, MAX_RESULT_CHARACTERS) }
    return { kind, values: chosen(values), documents: [], files: [] }
  }
  if (kind === 'mail') {
    const named = chosen(field_values)
    const values = Object.keys(named).length > 0 ? named : field_values
    return { kind, values: inOrder(values), documents: [], files: await keepReadable(db, owner, files) }
  }
  return { kind, values: field_values, documents: [], files: [] }
}

/** Returns the texts of a mail in the order of a mail, without empty ones. */
function inOrder(values: Record<string, string>): Record<string, string> {
  const names = EVENT_FIELDS.mail.filter((name) => values[name])
  return Object.fromEntries(names.map((name) => [name, values[name] ?? '']))
}
