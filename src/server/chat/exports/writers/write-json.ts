import type { ChatExportWish } from '#shared/chat/exports/exports.ts'
import { plainCitations, withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { Source } from '#shared/runs/runs/sources.ts'

type Chat = {
  session: { id: string; title: string; active_leaf: string | null }
  messages: AsyncIterable<Message & Restorable>
  wish: Pick<ChatExportWish, 'footnotes' | 'steps'>
  at: Date
  /** Adds what an import needs to restore the chat as it is. */
  isWhole?: boolean
  /** Yields the referenced files as data. */
  pictures: (ids: Set<string>) => AsyncIterable<{ id: string; data: string }>
}

/** Facts that an account archive adds to a message. */
type Restorable = {
  passages?: readonly object[]
  run_id?: string | null
  compared?: readonly object[]
}

const asset = /assets\/tools\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//g

/** Streams a chat as JSON. Each message names its parent, so branches are complete. */
export async function* writeJson({
  session,
  messages,
  wish,
  at,
  isWhole = false,
  pictures,
}: Chat): AsyncGenerator<string> {
  const head = { format: 'atrium-chat', version: isWhole ? 2 : 1, exported_at: at.toISOString(), ...session }
  yield `${JSON.stringify(head, null, 1).slice(0, -2)},\n "messages": [`
  const named = new Set<string>()
  let isFirst = true
  for await (const message of messages) {
    const text = JSON.stringify(describe(message, wish, isWhole))
    for (const [, id = ''] of text.matchAll(asset)) named.add(id)
    yield `${isFirst ? '' : ','}\n  ${text}`
    isFirst = false
  }
  yield '\n ],\n "pictures": ['
  isFirst = true
  for await (const picture of pictures(named)) {
    yield `${isFirst ? '' : ','}\n  ${JSON.stringify(picture)}`
    isFirst = false
  }
  yield '\n ]\n}\n'
}

function describe(message: Message & Restorable, { footnotes, steps }: Chat['wish'], isWhole: boolean) {
  const { id, parent_id, role, model_name, created_at, status, content, blocks, metadata } = message
  const sources = blocks.flatMap((block) => (block.type === 'text' ? (block.sources ?? []) : []))
  return {
    ...{ id, parent_id, role, model_name, created_at, status },
    ...(metadata.assistant !== undefined && { assistant: metadata.assistant }),
    content: footnotes ? plainCitations(content) : withoutCitations(content),
    ...(footnotes && sources.length > 0 && { sources: sources.map(describeSource) }),
    ...endOf(message),
    ...(steps && { blocks }),
    ...(!steps && { made: madeIn(message) }),
    ...(isWhole && {
      original: {
        ...{ content, metadata, is_modified: message.is_modified, agent_type: message.agent_type },
        ...{ passages: message.passages, run_id: message.run_id, compared: message.compared },
      },
    }),
  }
}

/** Returns why the last text is not whole. */
function endOf({ blocks }: Message) {
  const last = blocks.findLast((block) => block.type === 'text')
  if (last?.type !== 'text') return {}
  const { is_cut, is_filtered } = last
  return { ...(is_cut && { is_cut }), ...(is_filtered && { is_filtered }) }
}

function describeSource({ number, title, url, passage }: Source) {
  if (!passage) return { number, title, url }
  const { document_id, document_name, heading_path, page_number, place } = passage
  const { sheet, range, start, end } = place
  return {
    ...{ number, title: document_name, document_id, heading_path, page_number },
    ...{ sheet, range, start, end },
  }
}

/** Returns the addresses of files that tools made for this message. */
function madeIn({ blocks }: Message): string[] {
  const text = JSON.stringify(blocks.flatMap((block) => (block.type === 'tool' ? [block.result] : [])))
  return [...new Set(Array.from(text.matchAll(asset), ([, id = '']) => id))]
}
