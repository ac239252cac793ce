import type { Assistant, NewAssistant } from '#shared/assistants/assistants.ts'
import { AppError } from '#shared/errors.ts'
import { companyToShareWith } from '../access/access.ts'
import type { Caller } from '../http/serve.ts'
import type { Platform } from '../platform.ts'
import { insertAssistant } from './store.ts'
import { toAssistant } from './to-assistant.ts'

/** Stores a new assistant, with its first version. @throws AppError `conflict` when the person has as many as one may */
export async function createAssistant(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  user: Caller,
  body: NewAssistant,
): Promise<Assistant> {
  const companyId = companyFor(user, body.shared, false) ?? null
  const most = config.ATRIUM_LIMIT_ASSISTANTS_PER_USER
  const save = { savedBy: user.id, returnedFrom: null, keep: config.ATRIUM_LIMIT_ASSISTANT_VERSIONS }
  const row = await insertAssistant(db, user, body, companyId, most, save)
  if (row) return toAssistant(row, user)
  throw new AppError(
    'conflict',
    `You have ${most} assistants, the most one person may have. Delete one first.`,
  )
}

/**
 * The company a save shares an assistant with; null: nobody, undefined: it stays as it is. A shared one stays in its
 * company. @throws AppError `forbidden` for a new share by somebody who administers no company
 */
export function companyFor(
  user: Caller,
  shared: boolean | undefined,
  isShared: boolean,
): string | null | undefined {
  if (!shared || isShared) return shared === false ? null : undefined
  return companyToShareWith(user)
}
