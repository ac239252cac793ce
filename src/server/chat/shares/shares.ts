import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#shared/chat/shares/shares.ts'
import { AppError } from '#shared/platform/errors.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { countedAddress, takeTurn } from '../../identity/accounts/accounts.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { brandField, brandOf } from '../../identity/branding/branding.ts'
import { findAllowed, type Principal } from '../../platform/access/access.ts'
import { sendFile } from '../../platform/files/send-file.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { findActiveLeaf, findMessage } from '../messages/messages.ts'
import { refuseTemporary } from '../sessions/sessions.ts'
import { copyChat } from './copy.ts'
import { listShown, readShownPage } from './read-shared.ts'
import {
  countView,
  deleteEnded,
  deleteLink,
  findLink,
  findPicture,
  findTitle,
  insertLink,
  type ListedLink,
  listFiles,
  listLinkRows,
  listShareable,
} from './store.ts'
import { hashOf, newToken } from './token.ts'

const DAY_MS = 86_400_000

/** Serves share links, which show a frozen branch with or without an account. */
export function serveShares(server: Server, deps: Deps): void {
  serveLinks(server, deps)
  serveShared(server, deps)
  deps.jobs.register(
    'forget-links',
    () => deleteEnded(deps.db, new Date(deps.clock.now().getTime() - 30 * DAY_MS)),
    {
      cron: '29 * * * *',
    },
  )
}

function serveLinks(server: Server, deps: Deps): void {
  const { db, clock, secrets } = deps
  serve(server, contract.shareBranch, {
    handle: async ({ params: { sessionId }, body, user, request }) => {
      await refuseTemporary(db, user, sessionId)
      // Refused for a chat of an archived project, which is read-only.
      await findAllowed(db, user, 'write session', sessionId)
      const leafId = await findActiveLeaf(db, sessionId)
      if (!leafId) throw new AppError('conflict', 'There is nothing in this chat yet.')
      const leaf = await findMessage(db, sessionId, leafId)
      if (leaf.status === 'streaming') throw new AppError('conflict', 'The reply is still being written.')
      const chosen = [...new Set(body.documents)]
      if ((await listShareable(db, user, chosen)).length < chosen.length)
        throw new AppError('forbidden', 'Only files of your own can be shared by a link.')
      const token = newToken()
      const now = clock.now()
      const link = {
        ...{ id: randomUUID(), user_id: user.id, session_id: sessionId, leaf_id: leafId },
        ...{ token_hash: hashOf(token), token: secrets.seal(token), hides_steps: body.hide_steps },
        ...{ title: (await findTitle(db, sessionId)) ?? '', created_at: now },
        expires_at: body.days === null ? null : new Date(now.getTime() + body.days * DAY_MS),
      }
      const messages = (await listShown(deps, { ...link, messages: 0, views: 0, shared_by: '' })).length
      await db.transaction().execute(async (trx) => {
        await insertLink(trx, { ...link, messages }, chosen)
        const until = link.expires_at?.toISOString() ?? null
        const changes = [...changed('until', null, until), ...changed('files', null, String(chosen.length))]
        const entry = { subject: sessionId, subjectId: link.id, changes }
        await auditBy(deps, { user, request })(trx, { did: 'link.created', ...entry })
      })
      return show(deps, { ...link, messages, views: 0, files: chosen.length })
    },
  })
  serve(server, contract.listLinks, {
    handle: async ({ user, query }) => {
      const { rows, total } = await listLinkRows(db, user, { ...query, now: clock.now() })
      return { items: rows.map((row) => show(deps, row)), total }
    },
  })
  serve(server, contract.revokeLink, {
    handle: ({ params: { linkId }, user, request }) =>
      db.transaction().execute(async (trx) => {
        const sessionId = await deleteLink(trx, linkId)
        if (sessionId === null) return
        const entry = { subject: sessionId, subjectId: linkId }
        await auditBy(deps, { user, request })(trx, { did: 'link.revoked', ...entry })
      }),
  })
}

function serveShared(server: Server, deps: Deps): void {
  const { db, clock, grants } = deps
  /** Opens a link. Rate-limited callers and invalid tokens get no information. */
  const open = async (token: string, { ip }: FastifyRequest, reply?: FastifyReply) => {
    await takeTurn(deps, 'shared_address', countedAddress(ip))
    reply?.header('x-robots-tag', 'noindex, nofollow')
    const link = await findLink(db, hashOf(token), clock.now())
    if (!link || (await grants.closedTo(link.user_id)).has('feature', 'links')) throw ended()
    const principal: Principal = { kind: 'link', id: link.id }
    const brand = await brandOf(deps, link.user_id)
    const files = await listFiles(db, principal, link.id)
    return { link, principal, token, files, brand, product: brand?.name ?? null }
  }
  serve(server, contract.readShared, {
    handle: async ({ params, query, request, reply }) => {
      const shared = { ...(await open(params.token, request, reply)), language: query.language }
      const { link, files, brand } = shared
      const page = await readShownPage(deps, shared, 0)
      await countView(db, link.id)
      return {
        ...{ ...page, title: link.title, shared_by: link.shared_by, total: link.messages },
        ...{ created_at: link.created_at.toISOString(), expires_at: link.expires_at?.toISOString() ?? null },
        files: files.map(({ place, name, size }) => ({ place, name, size })),
        ...brandField(brand),
      }
    },
  })
  serve(server, contract.readSharedMessages, {
    handle: async ({ params, query, request, reply }) => {
      const shared = { ...(await open(params.token, request, reply)), language: query.language }
      return readShownPage(deps, shared, query.skip)
    },
  })
  serve(server, contract.readSharedFile, {
    handle: async ({ params, request, reply }) => {
      const { files } = await open(params.token, request, reply)
      const file = files.find(({ place }) => place === params.place)
      if (!file) throw ended()
      const { file_key: key, name, format } = file
      await sendFile(deps, request, reply, { key, name, kind: format ?? extensionOf(name), isOriginal: true })
      // The file itself is the response.
      return undefined as never
    },
  })
  serve(server, contract.readSharedPicture, {
    handle: async ({ params, request, reply }) => {
      const { link } = await open(params.token, request, reply)
      const picture = await findPicture(db, params.pictureId, await listShown(deps, link))
      if (!picture) throw ended()
      const { file_key: key, name } = picture
      await sendFile(deps, request, reply, { key, name, kind: extensionOf(name) })
      return undefined as never
    },
  })
  serve(server, contract.copyShared, {
    handle: async ({ params, user, request }) => {
      const { link, files } = await open(params.token, request)
      return { session_id: await copyChat(deps, user, link, files) }
    },
  })
}

const ended = () => new AppError('not_found', 'This link has ended, or there never was one.')

function show({ secrets, publicUrl }: Deps, row: Omit<ListedLink, 'token_hash'>): contract.ShareLink {
  const { id, session_id, title, messages, files, views, hides_steps } = row
  return {
    ...{ id, session_id, title, messages, files, views, hides_steps },
    url: `${publicUrl()}/s/${secrets.open(row.token)}`,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
  }
}
