import { MAX_FACT } from '#shared/chat/memory/fact.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import type { ForeignFork, ForeignMemoryUse } from '../readers/foreign.ts'
import { insertMemoryUse, linkFork } from './place-store.ts'
import { findThing } from './thing-store.ts'
import { holdImport, type Work } from './work.ts'

/** Links an imported chat to the imported chat that it was forked from. Ignores one whose origin is not here. @throws Stopped */
export async function writeFork(work: Work, { chat, from, message, end }: ForeignFork): Promise<void> {
  const { deps, origin } = work
  await deps.db.transaction().execute(async (trx) => {
    await holdImport(work, trx)
    const find = (chatId: string, id: string | null) =>
      id === null ? null : findThing(trx, origin, 'message', `${chatId}/${id}`)
    const fork = await findThing(trx, origin, 'chat', chat)
    const forked_from = await findThing(trx, origin, 'chat', from)
    if (fork === null || forked_from === null || fork === forked_from) return
    const ends = { forked_message: await find(from, message), fork_end: await find(chat, end) }
    await linkFork(trx, fork, { forked_from, ...ends })
  })
}

/** Notes that a reply used a fact. Ignores one of a chat or a fact that is not here. @throws Stopped */
export async function writeMemoryUse(work: Work, use: ForeignMemoryUse): Promise<void> {
  const { deps, origin } = work
  await deps.db.transaction().execute(async (trx) => {
    await holdImport(work, trx)
    const message_id = await findThing(trx, origin, 'message', `${use.chat}/${use.message}`)
    const fact_id = await findThing(trx, origin, 'fact', use.fact)
    if (message_id === null || fact_id === null) return
    const text = cleanCharacters(use.text).slice(0, MAX_FACT).toWellFormed()
    await insertMemoryUse(trx, { message_id, fact_id, place: use.place, text })
  })
}
