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
 * Returns the assistant that a chat uses or tries. Returns null for none, and for a deleted one or one no longer shared.
 * @throws AppError `not_granted` for one the user has no grant for
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

/** Returns one assistant. @throws AppError `not_found`, `forbidden` without access, `not_granted` without a grant */
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
