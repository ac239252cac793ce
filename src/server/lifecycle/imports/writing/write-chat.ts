import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import * as z from 'zod/mini'
import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import { previewOf } from '#shared/chat/sessions/preview.ts'
import { defaultTitle, titleFromMessage } from '#shared/chat/sessions/titles.ts'
import { MAX_MODEL_NAME } from '#shared/models/connections/model-name.ts'
import { AnswerWords, ChosenEffort, Temperature } from '#shared/models/connections/tuning.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import { AgentType } from '#shared/runs/runs/agent-type.ts'
import { findModelFor } from '../../../models/model-choice/model-choice.ts'
import { takeStorage } from '../../../money/storage/storage.ts'
import { cleanCharacters, toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { ForeignChat, ForeignMessage } from '../readers/foreign.ts'
import { endChat, insertChat, insertChatMessages, lockChat } from './chat-store.ts'
import { insertChatSources } from './class-store.ts'
import { deriveId } from './derived-id.ts'
import { findOwnProject } from './project-store.ts'
import { restoreCitations } from './restore-citations.ts'
import {
  findThing,
  findThings,
  insertThings,
  listMessages,
  type NewThing,
  type Origin,
} from './thing-store.ts'
import { holdImport, type Work } from './work.ts'
import { alternativesOf, writeComparisons } from './write-comparisons.ts'
import { writeFile } from './write-file.ts'
import { callsOf, renamer, writeCalls } from './write-made.ts'
import { findAssistant } from './write-project.ts'

/** Characters of one message; longer text is cut, like text that is typed. */
const MAX_TEXT = 1_000_000
/** Characters of the blocks of one message, as JSON. */
const MAX_BLOCKS = 8 * MAX_TEXT
/** Rows are made per insert, so that a long chat does not block the event loop. */
const MESSAGES_PER_INSERT = 200
const MAX_TITLE = 200
const MAX_TAGS = 20

/**
 * Writes a chat with its branches, or adds what is new in it since an earlier import. One transaction writes the messages; each file
 * follows in its own, so that a repetition after a kill continues. A chat in the trash is left alone.
 * @throws AppError `quota_exceeded`
 * @throws Stopped
 */
export async function writeChat(work: Work, chat: ForeignChat): Promise<void> {
  const written = await work.deps.db.transaction().execute((trx) => writeMessages(work, trx, chat))
  if (!written) return
  for (const message of chat.messages) {
    const messageId = written.messages.get(idOf(chat, message.id))
    for (const file of message.files)
      await writeFile(work, file, { sessionId: written.sessionId, messageId: messageId ?? null })
  }
}

const idOf = (chat: ForeignChat, messageId: string) => `${chat.id}/${messageId}`

async function writeMessages(work: Work, trx: Transaction<Tables>, chat: ForeignChat) {
  await holdImport(work, trx)
  const { deps, importId, origin } = work
  const known = await findThing(trx, origin, 'chat', chat.id)
  const locked = known === null ? null : await lockChat(trx, known)
  if (locked?.isTrashed) return null
  const sessionId = known ?? randomUUID()
  const messages = known === null ? new Map<string, string>() : await listMessages(trx, sessionId)
  const showsImported = locked === null || [...messages.values()].includes(locked.active_leaf ?? '')
  const added = chat.messages.filter(({ id }) => !messages.has(idOf(chat, id)))
  if (added.length === 0) return { sessionId, messages }
  const times = timesOf(chat, deps.clock.now())
  const alternatives = alternativesOf(work, chat)
  const things = added.map(
    ({ id }): NewThing => ({ foreign_id: idOf(chat, id), thing_id: alternatives.get(id) ?? randomUUID() }),
  )
  for (const { foreign_id, thing_id } of things) messages.set(foreign_id, thing_id)
  const place = { ...origin, import_id: importId, session_id: sessionId }
  if (known === null) {
    const head = { ...headOf(chat, sessionId, times), ...(await placeOf(work, trx, chat)) }
    await insertChat(trx, { id: sessionId, user_id: origin.user_id, ...head })
    await insertChatSources(trx, { sessionId, userId: origin.user_id }, chat.sources ?? [])
    await insertThings(trx, { ...place, kind: 'chat' }, [{ foreign_id: chat.id, thing_id: sessionId }])
  }
  const runs = runsOf(work, chat)
  const rename = renamer(work, callsOf({ messages: added }), runs)
  const assistants = await findAssistants(work, trx, chat)
  let bytes = 0
  for (let at = 0; at < added.length; at += MESSAGES_PER_INSERT) {
    const written = { sessionId, messages, times, rename, origin, runs, assistants }
    const rows: ReturnType<typeof toRow>[] = []
    for (const message of added.slice(at, at + MESSAGES_PER_INSERT))
      rows.push(toRow(chat, await restoreCitations(trx, origin, message), written))
    await insertChatMessages(trx, rows)
    bytes += rows.reduce((sum, row) => sum + Buffer.byteLength(row.content) + row.blocks.length, 0)
  }
  await takeStorage({ ...deps, db: trx }, origin.user_id, bytes)
  await insertThings(trx, { ...place, kind: 'message' }, things)
  await writeComparisons(work, trx, { chat, added }, { sessionId, messages })
  await writeCalls(work, trx, added, {
    sessionId,
    idOf: ({ id }) => ({ foreign: idOf(chat, id), id: messages.get(idOf(chat, id)) as string }),
  })
  const leaf = leafOf(chat)
  await endChat(trx, sessionId, {
    leaf: showsImported ? (messages.get(idOf(chat, leaf.id)) ?? null) : null,
    preview: cleanCharacters(previewOf(leaf.text)),
    bytes,
  })
  return { sessionId, messages }
}

/** The message shown last, or the newest one. */
function leafOf({ messages, leaf }: ForeignChat): ForeignMessage {
  const shown = messages.find(({ id }) => id === leaf)
  return shown ?? (messages.at(-1) as ForeignMessage)
}

type Times = { messages: Map<string, Date>; first: Date; last: Date }

/** A message without a time gets that of the message before it, and the chat those of its messages. */
function timesOf({ messages, at, changed }: ForeignChat, now: Date): Times {
  const limit = now.getTime()
  let last = Math.min((at ?? changed ?? now).getTime(), limit)
  const times = new Map<string, Date>()
  for (const message of messages) {
    last = message.at ? Math.min(message.at.getTime(), limit) : last + 1
    times.set(message.id, new Date(last))
  }
  const all = [...times.values()].map((time) => time.getTime())
  const end = all.reduce((one, other) => Math.max(one, other), 0)
  const begin = all.reduce((one, other) => Math.min(one, other), limit)
  return {
    messages: times,
    first: new Date(Math.min((at ?? new Date(begin)).getTime(), limit)),
    last: new Date(Math.min(Math.max((changed ?? new Date(end)).getTime(), end), limit)),
  }
}

function headOf(chat: ForeignChat, sessionId: string, { first, last }: Times) {
  const beginning = chat.messages.find(({ role }) => role === 'user')?.text ?? ''
  const title = cleanLabel(chat.title).trim().slice(0, MAX_TITLE).toWellFormed()
  return {
    title: title || titleFromMessage(beginning) || defaultTitle(sessionId),
    ...{ at: first, changed: last, isArchived: chat.isArchived },
    tags: [...new Set((chat.tags ?? []).map((tag) => cleanLabel(tag).trim().slice(0, 30)))]
      .filter((tag) => tag !== '')
      .slice(0, MAX_TAGS),
  }
}

/** Returns the project, model and settings of a chat, as far as they are here. */
async function placeOf(work: Work, trx: Transaction<Tables>, chat: ForeignChat) {
  const { origin } = work
  const project = chat.project ? await findThing(trx, origin, 'project', chat.project) : null
  const assistant_id = await findAssistant(work, trx, chat.assistant)
  const { agent_type, effort, temperature, max_words } = chat.settings ?? {}
  const settings = ChatSettings.safeParse({ effort, temperature, max_words })
  const agent = chat.settings ? AgentType.safeParse(agent_type).data : 'multi_turn'
  return {
    ...{ isUnread: chat.isUnread ?? false, pin: chat.pin ?? null },
    workspace_id: project && (await findOwnProject(trx, origin.user_id, project)),
    model_name: await findModel(work, chat),
    settings: {
      ...(agent && { agent_type: agent }),
      ...(assistant_id && { assistant_id }),
      ...settings.data,
    },
  }
}

/** Returns the model of a chat if the person may use it here. */
async function findModel({ deps, origin }: Work, { model }: ForeignChat): Promise<string | null> {
  if (!model) return null
  const found = await findModelFor(deps, origin.user_id, model).catch(() => null)
  return found?.id ?? null
}

const ChatSettings = z.object({
  effort: z.optional(ChosenEffort),
  temperature: z.optional(Temperature),
  max_words: z.optional(AnswerWords),
})

/** Returns the runs of a chat whose journals are in the archive, with their ids here. */
function runsOf({ origin }: Work, chat: ForeignChat): Map<string, string> {
  return new Map(
    chat.messages.flatMap(({ id, run }) => (run ? [[run, deriveId(origin, 'run', idOf(chat, id))]] : [])),
  )
}

function findAssistants({ origin }: Work, trx: Transaction<Tables>, { messages }: ForeignChat) {
  const named = new Set(messages.flatMap(({ writtenBy }) => (writtenBy ? [writtenBy.id] : [])))
  return findThings(trx, origin, 'assistant', [...named])
}

const agents = [...AgentType.options, 'comparison'] as const
const agentOf = ({ agent }: ForeignMessage) => agents.find((one) => one === agent) ?? 'multi_turn'

/** Returns the blocks of a reply as JSON: those of our archive, or the text when they are larger than any message. */
function blocksOf(blocks: ForeignMessage['blocks'], text: object): string {
  const json = toJson(blocks ?? [text])
  return json.length > MAX_BLOCKS ? toJson([text]) : json
}

type Written = {
  sessionId: string
  messages: ReadonlyMap<string, string>
  times: Times
  rename: (text: string) => string
  origin: Origin
  runs: ReadonlyMap<string, string>
  assistants: ReadonlyMap<string, string>
}

/** Text of an import counts as written by others: it comes from a file, not from the person. */
function toRow(
  chat: ForeignChat,
  message: ForeignMessage,
  { sessionId, messages, times, rename, origin, runs, assistants }: Written,
) {
  const { id, role, model, sources } = message
  const blocks = message.blocks?.filter(
    (block) => block.type !== 'checkpoint' || runs.has(String(block.run_id)),
  )
  const by = message.writtenBy
  const writtenBy = by && {
    id: assistants.get(by.id) ?? (builtInIds.includes(by.id) ? by.id : deriveId(origin, 'assistant', by.id)),
    name: cleanLabel(by.name).slice(0, MAX_TITLE),
  }
  const compared_in = message.comparedIn && messages.get(idOf(chat, message.comparedIn))
  const content = rename(cleanCharacters(message.text)).slice(0, MAX_TEXT).toWellFormed()
  const numbered = sources.slice(0, 100).map((page, at) => ({ ...page, id: page.url, number: at + 1 }))
  const text = {
    type: 'text',
    id: 'text-1',
    text: content,
    ...(numbered.length > 0 && { sources: numbered }),
  }
  const parent = message.parent === null ? null : (messages.get(idOf(chat, message.parent)) ?? null)
  return {
    ...{
      id: messages.get(idOf(chat, id)) as string,
      session_id: sessionId,
      parent_id: parent,
      role,
      content,
    },
    ...{ agent_type: role === 'assistant' ? agentOf(message) : null, is_by_others: true },
    model_name: role === 'assistant' && model ? cleanLabel(model).slice(0, MAX_MODEL_NAME) : null,
    status: message.isFailed ? ('error' as const) : ('completed' as const),
    is_modified: message.isModified === true,
    blocks: role === 'assistant' ? rename(blocksOf(blocks, text)) : '[]',
    metadata: toJson({
      ...(role === 'assistant' && message.measured),
      ...(writtenBy && { assistant: writtenBy }),
      ...(compared_in && { compared_in }),
    }),
    created_at: times.messages.get(id) as Date,
  }
}
