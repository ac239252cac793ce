import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { builtInAssistants } from '#shared/chat/assistants/built-in.ts'
import { AppError } from '#shared/platform/errors.ts'
import { Id } from '#shared/platform/primitives.ts'
import { assertOpen, isNotGranted } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { findRow } from './store.ts'
import { toAssistant } from './to-assistant.ts'
import { findTried } from './tried.ts'

/**
 * The assistant a chat names or tries; null for none, and for one that is gone or no longer shared with the person.
 * @throws AppError `not_granted` for one that is closed to them
 */
export async function findChatAssistant(
  deps: Pick<Platform, 'db' | 'grants'>,
  user: Caller,
  session: { id: string; session_metadata: Record<string, unknown> },
): Promise<Assistant | null> {
  const { assistant_id, is_try } = session.session_metadata
  if (is_try === true) return findTried(deps, user, session.id)
  const id = Id.safeParse(assistant_id)
  if (!id.success) return null
  return findAssistant(deps, user, id.data).catch((error) => {
    if (error instanceof AppError && !isNotGranted(error)) return null
    throw error
  })
}

/** One assistant. @throws AppError `not_found` for an unknown id, `forbidden` for one that is not the person's, `not_granted` for one that is closed to them */
export async function findAssistant(
  { db, grants }: Pick<Platform, 'db' | 'grants'>,
  user: Caller,
  id: string,
): Promise<Assistant> {
  const builtIn = builtInAssistants(user.language).find((assistant) => assistant.id === id)
  const found = builtIn ?? toAssistant(await findRow(db, user, 'read', id), user)
  await assertOpen(grants, user.id, { kind: 'assistant', id })
  return found
}
