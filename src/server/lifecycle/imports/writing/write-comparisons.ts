import type { Transaction } from 'kysely'
import { MAX_MODEL_NAME } from '#shared/models/connections/model-name.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import { messageOfModel, runOfModel } from '../../../chat/agents/agents.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { ForeignChat, ForeignMessage } from '../readers/foreign.ts'
import { insertComparison } from './comparison-store.ts'
import { deriveId } from './derived-id.ts'
import { insertThings } from './thing-store.ts'
import type { Work } from './work.ts'

const idOf = (chat: ForeignChat, messageId: string) => `${chat.id}/${messageId}`

/** Returns the ids of the replies of several models, by their ids in the archive. The comparison finds them by these ids. */
export function alternativesOf({ origin }: Work, chat: ForeignChat): Map<string, string> {
  return new Map(
    chat.messages.flatMap(({ id, compared = [] }) => {
      const run = deriveId(origin, 'run', idOf(chat, id))
      return compared.flatMap(({ message }, at) =>
        message === null ? [] : [[message, messageOfModel(runOfModel(run, at + 1))] as const],
      )
    }),
  )
}

type Place = { sessionId: string; messages: ReadonlyMap<string, string> }

/** Stores the finished runs of comparisons, so that their replies are shown side by side. */
export async function writeComparisons(
  { origin, importId }: Work,
  trx: Transaction<Tables>,
  { chat, added }: { chat: ForeignChat; added: readonly ForeignMessage[] },
  { sessionId, messages }: Place,
): Promise<void> {
  const place = { ...origin, kind: 'run' as const, import_id: importId, session_id: sessionId }
  for (const { id, compared = [] } of added) {
    const messageId = messages.get(idOf(chat, id))
    if (compared.length === 0 || messageId === undefined) continue
    const foreign = idOf(chat, id)
    const run = deriveId(origin, 'run', foreign)
    const models = compared.map(({ model, error }, at) => ({
      ...{ id: runOfModel(run, at + 1), error },
      model_name: cleanLabel(model).slice(0, MAX_MODEL_NAME),
    }))
    await insertComparison(trx, { id: run, messageId, models })
    const parts = models.map((model, at) => ({ foreign_id: `${foreign}/model${at + 1}`, thing_id: model.id }))
    await insertThings(trx, place, [{ foreign_id: foreign, thing_id: run }, ...parts])
  }
}
