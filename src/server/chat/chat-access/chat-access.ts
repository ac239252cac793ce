import * as contract from '#shared/chat/chat-access/chat-access.ts'
import { AppError } from '#shared/platform/errors.ts'
import { readUser, requestMail } from '../../identity/accounts/accounts.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { findActiveLeaf, loadMessages, loadTree, pathTo } from '../messages/messages.ts'
import {
  endAccess,
  findAccess,
  findChat,
  insertAccess,
  listAccesses,
  listChats,
  noteRead,
  noteSeen,
  openedBy,
} from './store.ts'

const HOUR_MS = 3_600_000

/** Serves the only way for an administrator to read a user's chats: with a reason, for a limited time, visible to the user. */
export function serveChatAccess(server: Server, deps: Platform): void {
  serveAccesses(server, deps)
  serveReading(server, deps)
  serve(server, contract.listOwnChatAccesses, {
    handle: async ({ user, query }) => {
      const skip = (query.page - 1) * contract.ACCESSES_LIMIT
      const found = await listAccesses(deps.db, user.id, deps.clock.now(), {
        ...{ skip, limit: contract.ACCESSES_LIMIT },
      })
      return { ...found, has_more: skip + found.items.length < found.total }
    },
  })
  serve(server, contract.noteAccessesSeen, {
    handle: ({ user }) => noteSeen(deps.db, user.id, deps.clock.now()),
  })
}

function serveAccesses(server: Server, deps: Platform): void {
  const { db, clock } = deps
  serve(server, contract.openChats, {
    handle: async ({ user, params: { userId }, body, request }) => {
      const now = clock.now()
      const reason = cleanCharacters(body.reason)
      const person = await readUser(deps, userId)
      if (person.id === user.id) throw new AppError('conflict', 'Your own chats are open to you.')
      const access = {
        ...{
          user_id: userId,
          admin_id: user.id,
          admin_name: user.full_name?.trim() || user.username,
          reason,
        },
        ...{ created_at: now, expires_at: new Date(now.getTime() + body.hours * HOUR_MS) },
      }
      const id = await db.transaction().execute(async (trx) => {
        const made = await insertAccess(trx, access)
        if (!made) throw new AppError('conflict', 'You have access to these chats already.')
        const subject = person.full_name?.trim() || person.username
        const changes = [
          ...changed('reason', null, reason),
          ...changed('until', null, access.expires_at.toISOString()),
        ]
        await auditBy(deps, { user, request })(trx, {
          ...{ did: 'chats.opened', subject, subjectId: userId, changes },
        })
        return made
      })
      await requestMail(deps, 'chats_opened', person.email)
      return show(await findAccess(db, id, now))
    },
  })
  serve(server, contract.listChatAccesses, {
    handle: async ({ query }) => {
      const skip = (query.page - 1) * contract.ACCESSES_LIMIT
      const wanted = { skip, limit: contract.ACCESSES_LIMIT }
      const { items, total } = await listAccesses(db, null, clock.now(), wanted)
      return { items, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.closeChats, {
    handle: async ({ user, params: { accessId }, request }) => {
      const { person } = show(await findAccess(db, accessId, clock.now()))
      await db.transaction().execute(async (trx) => {
        if (!(await endAccess(trx, accessId, clock.now()))) return
        const entry = { subject: person.name, subjectId: person.id }
        await auditBy(deps, { user, request })(trx, { did: 'chats.closed', ...entry })
      })
    },
  })
}

function serveReading(server: Server, deps: Platform): void {
  const { db, clock } = deps
  const find = async (accessId: string, adminId: string) => {
    const userId = await openedBy(db, accessId, adminId, clock.now())
    if (userId) return userId
    throw new AppError('forbidden', 'This access is over, or somebody else’s. Begin one of your own.')
  }
  serve(server, contract.listOpenedChats, {
    handle: async ({ user, params: { accessId }, query }) => {
      const userId = await find(accessId, user.id)
      const skip = (query.page - 1) * contract.CHAT_PAGE
      const { items, total } = await listChats(db, userId, { skip, limit: contract.CHAT_PAGE })
      return { items, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.readOpenedChat, {
    handle: async ({ user, params: { accessId, chatId }, query, request }) => {
      const userId = await find(accessId, user.id)
      const title = await findChat(db, userId, chatId)
      if (title === null) throw new AppError('not_found', 'Session not found')
      // Audited before the response: a read that cannot be audited is refused.
      await db.transaction().execute(async (trx) => {
        await noteRead(trx, accessId, chatId, clock.now())
        await auditBy(deps, { user, request })(trx, { did: 'chat.read', subject: chatId, subjectId: userId })
      })
      const leafId = await findActiveLeaf(db, chatId)
      const leaf = leafId && (await loadTree(db, chatId)).nodes.get(leafId)
      const ids = leaf ? pathTo(leaf).map(({ id }) => id) : []
      const skip = (query.page - 1) * contract.CHAT_PAGE
      const messages = await loadMessages(db, ids.slice(skip, skip + contract.CHAT_PAGE))
      return {
        title,
        messages: messages.map(({ id, role, content, created_at }) => ({ id, role, content, created_at })),
        has_more: skip + contract.CHAT_PAGE < ids.length,
      }
    },
  })
}

function show(access: contract.ChatAccess | null): contract.ChatAccess {
  if (!access) throw new AppError('not_found', 'Access not found')
  return access
}
