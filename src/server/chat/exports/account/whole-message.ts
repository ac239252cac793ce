import type { Kysely } from 'kysely'
import { COMPARISON } from '#shared/chat/comparisons/comparisons.ts'
import { findCitations } from '#shared/platform/citations/citation-tags.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import {
  type CitedPassage,
  type ComparedModel,
  listCited,
  listComparedIn,
  listJournals,
} from './whole-message-store.ts'

/** A message with what an import needs to restore its citations and its positions. */
export type WholeMessage = Message & {
  /** The passages of the person's own documents that it cites. */
  passages: CitedPassage[]
  /** The run whose journal is in the archive. */
  run_id: string | null
  /** The models of a reply of several. */
  compared: ComparedModel[]
}

/** Messages per query. */
const BATCH = 50

export async function* addWhole(
  db: Kysely<Tables>,
  userId: string,
  messages: AsyncIterable<Message>,
): AsyncGenerator<WholeMessage> {
  let batch: Message[] = []
  for await (const message of messages) {
    batch.push(message)
    if (batch.length < BATCH) continue
    yield* await readWhole(db, userId, batch)
    batch = []
  }
  yield* await readWhole(db, userId, batch)
}

async function readWhole(db: Kysely<Tables>, userId: string, messages: Message[]): Promise<WholeMessage[]> {
  const cited = new Map(messages.map((message) => [message.id, citedIn(message)]))
  const passages = new Map(
    (await listCited(db, userId, [...new Set([...cited.values()].flat())])).map((one) => [one.id, one]),
  )
  const journals = await listJournals(
    db,
    messages.map(({ id }) => id),
  )
  const compared = await listComparedIn(
    db,
    messages.flatMap(({ id, agent_type }) => (agent_type === COMPARISON ? [id] : [])),
  )
  return messages.map((message) => ({
    ...message,
    passages: (cited.get(message.id) ?? []).flatMap((id) => passages.get(id) ?? []),
    run_id: journals.get(message.id) ?? null,
    compared: compared.get(message.id) ?? [],
  }))
}

/** Returns the ids of the passages that a message cites or lists. */
function citedIn({ content, blocks }: Message): string[] {
  const texts = blocks.flatMap((block) => (block.type === 'text' || block.type === 'thinking' ? [block] : []))
  const marked = [content, ...texts.map(({ text }) => text)].flatMap(findCitations)
  const listed = texts.flatMap((block) => (block.type === 'text' ? (block.sources ?? []) : []))
  return [
    ...new Set([
      ...marked.map(({ chunk_id }) => chunk_id),
      ...listed.flatMap(({ id, passage }) => (passage ? [id] : [])),
    ]),
  ]
}
