import type { Assistant } from '#shared/assistants/assistants.ts'
import { AppError } from '#shared/errors.ts'
import { Id } from '#shared/primitives.ts'
import type { Caller } from '../http/serve.ts'
import type { Platform } from '../platform.ts'
import { builtInAssistants } from './built-in.ts'
import { findRow } from './store.ts'
import { toAssistant } from './to-assistant.ts'

/** The assistant a chat names; null for none, and for one that is gone or no longer the person's to use. */
export async function findChatAssistant(
  deps: Pick<Platform, 'db'>,
  user: Caller,
  { assistant_id }: Record<string, unknown>,
): Promise<Assistant | null> {
  const id = Id.safeParse(assistant_id)
  if (!id.success) return null
  return findAssistant(deps, user, id.data).catch((error) => {
    if (error instanceof AppError) return null
    throw error
  })
}

/** One assistant. @throws AppError `not_found` for an unknown id, `forbidden` for one that is not the person's to use */
export async function findAssistant(
  { db }: Pick<Platform, 'db'>,
  user: Caller,
  id: string,
): Promise<Assistant> {
  const builtIn = builtInAssistants(user.language).find((assistant) => assistant.id === id)
  return builtIn ?? toAssistant(await findRow(db, user, 'read', id), user)
}
