import { MAX_PREVIEW } from '#shared/knowledge/rag/passage-words.ts'
import type { Principal } from '../../platform/access/access.ts'
import type { Platform } from '../../platform/platform.ts'
import { readWords } from './passage-words-store.ts'

/** Returns the beginnings of passages the principal may read now, in the order of `ids`. */
export async function previewPassages(
  { db }: Pick<Platform, 'db'>,
  principal: Principal,
  ids: readonly string[],
): Promise<{ chunk_id: string; text_preview: string }[]> {
  const words = await readWords(db, principal, ids)
  return ids.flatMap((chunk_id) => {
    const text = words.get(chunk_id)
    return text === undefined ? [] : [{ chunk_id, text_preview: text.slice(0, MAX_PREVIEW).toWellFormed() }]
  })
}
