import * as contract from '#shared/chat/palette/palette.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findAllowed } from '../../../platform/access/access.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import type { Deps } from '../../../tools/deps.ts'
import { findItems, isFindable, splitWords, storeUse } from './store.ts'

/** Serves the search of the palette: everything a person can go to. */
export function servePalette(server: Server, { db, clock }: Deps): void {
  serve(server, contract.searchPalette, {
    handle: async ({ user, query }) => {
      const words = splitWords(query.q ?? '')
      // A search without letters or digits finds nothing.
      if (query.q && words.length === 0) return { items: [] }
      const kinds = contract.kinds.filter((kind) => !query.kinds || query.kinds.split(',').includes(kind))
      const { limit, workspace_id: workspaceId } = query
      if (workspaceId) await findAllowed(db, user, 'read workspace', workspaceId)
      const found = await findItems(db, user, { words, kinds, limit, workspaceId })
      return {
        items: found.map(({ rank: _, used_at, ...item }) => ({ ...item, used_at: used_at.toISOString() })),
      }
    },
  })
  serve(server, contract.noteUse, {
    handle: async ({ user, body }) => {
      if (!(await isFindable(db, user, body.kind, body.id))) throw new AppError('not_found', 'Item not found')
      await storeUse(db, user.id, body.kind, body.id, clock.now())
    },
  })
}
