import * as contract from '#shared/identity/shortcuts/shortcuts.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findConflict, refuseKeys } from '#shared/platform/shortcut-rules.ts'
import { defaultKeys, type ShortcutAction, type ShortcutChanges } from '#shared/platform/shortcut-table.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { lockShortcuts, readShortcuts, removeKeys, storeKeys } from './store.ts'

export { readShortcuts } from './store.ts'

/** Serves the keys that a person changed. They are part of the person’s own data, so every browser gets them. */
export function serveShortcuts(server: Server, { db }: Platform): void {
  serve(server, contract.changeShortcut, {
    handle: ({ user, body: { action, keys } }) =>
      db.transaction().execute(async (trx) => {
        const changes = await lockShortcuts(trx, user.id)
        assertFree(action, keys ?? defaultKeys[action], changes)
        await storeKeys(trx, user.id, action, keys === defaultKeys[action] ? null : keys)
        return { shortcuts: { ...(await readShortcuts(trx, user.id)) } }
      }),
  })
  serve(server, contract.resetShortcuts, {
    handle: async ({ user }) => {
      await removeKeys(db, user.id)
      return { shortcuts: {} }
    },
  })
}

/** @throws AppError `invalid` for keys that no action may have here, `conflict` when another action has them */
function assertFree(action: ShortcutAction, keys: string, changes: ShortcutChanges): void {
  const refusal = refuseKeys(action, keys)
  if (refusal) throw new AppError('invalid', reasons[refusal])
  const other = findConflict(action, keys, changes)
  if (other) throw new AppError('conflict', `These keys belong to “${nameOf(other)}”. Choose others.`)
}

const reasons = {
  malformed: 'These keys cannot be read. Write modifiers first, such as mod+shift+e.',
  browser: 'The browser or the system uses these keys. Choose others.',
  editing: 'Text fields need these keys. Choose others.',
  typing: 'This key types text in the composer. Add Ctrl, Command or Alt.',
  page: 'These keys move through the page. Choose others.',
}

const nameOf = (action: ShortcutAction) => action.replaceAll('_', ' ')
