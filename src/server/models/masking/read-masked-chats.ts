import type { Platform } from '../../platform/platform.ts'
import { readValues } from './chat-values.ts'
import { maskedDetails } from './masked-details.ts'
import { placeholderOf } from './replacing/placeholders.ts'
import { findMasked, findMaskedChats } from './store.ts'

/** Yields the replaced details of each chat of a person as JSON text, without the trash and temporary chats. */
export async function* readMaskedChats(
  deps: Pick<Platform, 'db' | 'secrets'>,
  userId: string,
): AsyncGenerator<string> {
  let after: string | null = null
  for (;;) {
    const ids = await findMaskedChats(deps.db, userId, after)
    for (const session_id of ids) {
      const values = await readValues(deps, session_id)
      const placeholders = values.map(({ kind, number }) => placeholderOf(kind, number))
      const details = maskedDetails(values, placeholders)
      yield JSON.stringify({ session_id, details, replies: await findMasked(deps.db, session_id) })
    }
    after = ids.at(-1) ?? null
    if (after === null) return
  }
}
