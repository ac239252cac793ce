import * as contract from '#shared/chat/temporary-chats/temporary-chats.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { endTemporary, keepTemporary, listEnded, readSession, renewLease } from '../sessions/sessions.ts'

const CHATS_PER_STEP = 50

/** Serves the lease of temporary chats, and deletes those whose lease has expired every minute. */
export function serveTemporaryChats(server: Server, deps: Deps): void {
  const { db } = deps
  deps.jobs.register('end-temporary-chats', (_, signal) => endExpired(deps, signal), {
    ...{ cron: '* * * * *', places: 1 },
  })
  serve(server, contract.renewTemporaryChat, {
    handle: async ({ params }) => {
      const until = await renewLease(db, params.sessionId)
      if (!until) throw new AppError('conflict', 'This chat is not temporary.')
      return { lease_until: until.toISOString() }
    },
  })
  serve(server, contract.keepTemporaryChat, {
    handle: async ({ params, user }) => {
      await keepTemporary(db, params.sessionId)
      return readSession(db, user, params.sessionId)
    },
  })
}

/** A chat that cannot be stopped now does not block others; the next minute tries again. */
async function endExpired(deps: Deps, signal: AbortSignal): Promise<void> {
  for (const id of await listEnded(deps.db, CHATS_PER_STEP)) {
    signal.throwIfAborted()
    await endTemporary(deps, id).catch((error) => {
      if (!(error instanceof AppError)) throw error
    })
  }
}
