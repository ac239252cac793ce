import type { Transaction } from 'kysely'
import { AgentType } from '#shared/runs/runs/agent-type.ts'
import { Block } from '#shared/runs/runs/blocks.ts'
import { takeStorage } from '../../../money/storage/storage.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { ForeignCall, ForeignChat, ForeignMedia, ForeignMessage } from '../readers/foreign.ts'
import { safeFileName } from '../readers/foreign-files.ts'
import { deriveId } from './derived-id.ts'
import { completeCall, insertCalls, insertMade, insertRuns, type NewRun } from './made-store.ts'
import { findThing, insertThings } from './thing-store.ts'
import { holdImport, type Work } from './work.ts'

export const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Returns a function that gives the tool calls, made files and `known` things that a text names their ids of this installation. */
export function renamer(
  { origin, shelf }: Work,
  calls: ReadonlySet<string> = new Set(),
  known: ReadonlyMap<string, string> = new Map(),
) {
  return (text: string) =>
    text.replace(ID, (id) => {
      const own = known.get(id)
      if (own !== undefined) return own
      if (calls.has(id)) return deriveId(origin, 'call', id)
      return shelf.findMade(id) === null ? id : deriveId(origin, 'media', id)
    })
}

/** Returns the ids of the tool calls of a chat. */
export function callsOf({ messages }: Pick<ForeignChat, 'messages'>): Set<string> {
  return new Set(messages.flatMap((message) => toolBlocks(message).map(({ id }) => id)))
}

const toolBlocks = ({ blocks = [] }: ForeignMessage) =>
  blocks.flatMap((block) => {
    const { data } = Block.safeParse(block)
    return data?.type === 'tool' ? [data] : []
  })

type Written = { sessionId: string; idOf: (message: ForeignMessage) => { foreign: string; id: string } }

/** Stores finished runs without journals for replies with tool calls, and the calls as the blocks show them. */
export async function writeCalls(
  work: Work,
  trx: Transaction<Tables>,
  added: readonly ForeignMessage[],
  { sessionId, idOf }: Written,
): Promise<void> {
  const { origin, importId } = work
  const rename = renamer(work, callsOf({ messages: [...added] }))
  const place = { ...origin, import_id: importId, session_id: sessionId }
  for (const message of added) {
    const blocks = toolBlocks(message)
    if (blocks.length === 0) continue
    const { foreign, id: message_id } = idOf(message)
    const run = runOf(work, {
      foreign,
      message_id,
      session_id: sessionId,
      agent: message.agent,
      model: message.model,
    })
    // The run of a reply of several models is here already.
    if (await insertRuns(trx, run))
      await insertThings(trx, { ...place, kind: 'run' }, [{ foreign_id: foreign, thing_id: run.id }])
    await insertCalls(
      trx,
      run,
      blocks.map(({ id, tool_id, input, result, error, status }) => ({
        ...{ id: deriveId(origin, 'call', id), tool_id, error, status: statusOf(status) },
        ...{ input: rename(toJson(input ?? null)), result: rename(toJson(result ?? null)) },
      })),
    )
  }
}

type Reply = Pick<NewRun, 'message_id' | 'session_id'> & {
  foreign: string
  agent?: string | null | undefined
  model?: string | null
}

export function runOf({ origin }: Work, { foreign, message_id, session_id, agent, model }: Reply): NewRun {
  return {
    ...{ id: deriveId(origin, 'run', foreign), user_id: origin.user_id, session_id, message_id },
    ...{ agent_type: AgentType.safeParse(agent).data ?? 'multi_turn', model_name: model ?? null },
  }
}

/** A call that had not ended does not end here. */
const statusOf = (status: string) => (status === 'complete' ? 'complete' : 'failed')

/** Completes a tool call of an imported reply. Ignores one whose chat is not here. @throws AppError `quota_exceeded`; Stopped */
export async function writeCall(work: Work, call: ForeignCall): Promise<void> {
  const { deps, origin, importId } = work
  const id = deriveId(origin, 'call', call.id)
  const rename = renamer(work, new Set([call.id]))
  await deps.db.transaction().execute(async (trx) => {
    await holdImport(work, trx)
    if ((await findThing(trx, origin, 'call', call.id)) !== null) return
    const [input, result] = [rename(toJson(call.input)), rename(toJson(call.result))]
    const row = { id, user_id: origin.user_id, input, result, error: call.error, ended: call.ended }
    const session_id = await completeCall(trx, row)
    if (session_id === null) return
    await takeStorage({ ...deps, db: trx }, origin.user_id, Buffer.byteLength(result))
    const place = { ...origin, kind: 'call' as const, import_id: importId, session_id }
    await insertThings(trx, place, [{ foreign_id: call.id, thing_id: id }])
  })
}

/** Stores a file that a tool made with its reply. Ignores one whose chat is not here. @throws AppError `quota_exceeded`; Stopped */
export async function writeMedia(work: Work, media: ForeignMedia): Promise<void> {
  const { deps, origin, importId, opened } = work
  const { content } = media.file
  const foreign = `${media.chat}/${media.message}`
  if (content?.from !== 'member') return
  if ((await findThing(deps.db, origin, 'media', media.id)) !== null) return
  const message_id = await findThing(deps.db, origin, 'message', foreign)
  const session_id = await findThing(deps.db, origin, 'chat', media.chat)
  if (message_id === null || session_id === null) return
  const id = deriveId(origin, 'media', media.id)
  const file_key = `media/${id}/file`
  const size = opened.members.get(content.name)?.size ?? 0
  await deps.files.write(file_key, await opened.read(content.name))
  await deps.db.transaction().execute(async (trx) => {
    await holdImport(work, trx)
    if ((await findThing(trx, origin, 'media', media.id)) !== null) return
    const run = runOf(work, { foreign, message_id, session_id })
    const place = { ...origin, import_id: importId, session_id }
    if (await insertRuns(trx, run))
      await insertThings(trx, { ...place, kind: 'run' }, [{ foreign_id: foreign, thing_id: run.id }])
    await takeStorage({ ...deps, db: trx }, origin.user_id, size)
    const name = safeFileName(media.file.name)
    await insertMade(trx, run, { id, name, size, file_key, at: media.at ?? deps.clock.now() })
    await insertThings(trx, { ...place, kind: 'media' }, [{ foreign_id: media.id, thing_id: id }])
  })
}
