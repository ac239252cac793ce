import { citationTag, findCitations, replaceCitations } from '#shared/platform/citations/citation-tags.ts'
import { Block } from '#shared/runs/runs/blocks.ts'
import type { ForeignMessage } from '../readers/foreign.ts'
import { findPassages, type Restored } from './document-store.ts'
import type { Origin } from './thing-store.ts'
import type { Work } from './work.ts'

type Known = ReadonlyMap<string, Restored>

/** Gives the citations of a message of our archive the passages of the imported documents. Markers of others become numbers. */
export async function restoreCitations(
  db: Work['deps']['db'],
  origin: Origin,
  message: ForeignMessage,
): Promise<ForeignMessage> {
  if (message.passages === undefined) return message
  const known = await findPassages(db, origin, message.passages)
  return {
    ...message,
    text: markedAnew(message.text, known),
    ...(message.blocks && { blocks: message.blocks.map((block) => restoreBlock(block, known)) }),
  }
}

function markedAnew(text: string, known: Known): string {
  const numbers = new Map(findCitations(text).map(({ chunk_id, number }) => [chunk_id, number]))
  return replaceCitations(text, (id) => {
    const [passage, number = 0] = [known.get(id), numbers.get(id)]
    return passage ? citationTag(passage.id, number) : `[${number}]`
  })
}

function restoreBlock(found: Record<string, unknown>, known: Known): Record<string, unknown> {
  const { data: block } = Block.safeParse(found)
  if (block?.type === 'thinking') return { ...block, text: markedAnew(block.text, known) }
  if (block?.type !== 'text') return found
  const { sources = [], ...rest } = block
  const left = sources.flatMap((source) => {
    if (!source.passage) return [source]
    const passage = known.get(source.id)
    if (!passage) return []
    return [{ ...source, id: passage.id, passage: { ...source.passage, document_id: passage.document } }]
  })
  return { ...rest, text: markedAnew(rest.text, known), ...(left.length > 0 && { sources: left }) }
}
