import type { Platform } from '../../platform/platform.ts'
import { readValues } from './chat-values.ts'
import { maskedDetails } from './masked-details.ts'
import { findMasked, findMaskedChats } from './store.ts'

/** Yields the details replaced for a person in each of their chats as JSON text, without the trash and temporary chats. */
export async function* readMaskedChats(
  deps: Pick<Platform, 'db' | 'secrets'>,
  userId: string,
): AsyncGenerator<string> {
  let after: string | null = null
  for (;;) {
    const ids = await findMaskedChats(deps.db, userId, after)
    for (const session_id of ids) {
      const values = await readValues(deps, session_id)
      // A chat that is shared also has details of what others were sent, such as their memory.
      const replies = await findMasked(deps.db, session_id, userId)
      const placeholders = replies.flatMap((reply) => reply.placeholders)
      if (placeholders.length === 0) continue
      yield JSON.stringify({ session_id, details: maskedDetails(values, placeholders), replies })
    }
    after = ids.at(-1) ?? null
    if (after === null) return
  }
}
