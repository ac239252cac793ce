import type { Assistant, NewAssistant } from '#shared/chat/assistants/assistants.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Audit } from '../../identity/audit/audit.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { chooseShares } from './choose-shares.ts'
import { insertAssistant } from './store.ts'
import { toAssistant } from './to-assistant.ts'
import type { Save } from './version-store.ts'

/** Stores a new assistant and its first version. @throws AppError `conflict` at the limit per user */
export async function createAssistant(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  user: Caller,
  body: NewAssistant,
  audit: Audit,
  { isImported, also }: Pick<Save, 'isImported' | 'also'> = {},
): Promise<Assistant> {
  const before = { shared: false, shares: [], own: true, can_share: true }
  const shares = chooseShares(user, body, before) ?? []
  const most = config.ATRIUM_LIMIT_ASSISTANTS_PER_USER
  const save = {
    ...{ audit, savedBy: user.id, returnedFrom: null, keep: config.ATRIUM_LIMIT_ASSISTANT_VERSIONS },
    ...(isImported && { isImported }),
    ...(also && { also }),
  }
  const row = await insertAssistant(db, user, body, shares, most, save)
  if (row) return toAssistant(row, user)
  throw new AppError(
    'conflict',
    `You have ${most} assistants, the most one person may have. Delete one first.`,
  )
}
