import * as contract from '#shared/knowledge/workspaces/workspaces.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy } from '../../identity/audit/audit.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import {
  countInWorkspace,
  defaultWorkspace,
  linkToSession,
  linkToWorkspace,
  listDocuments,
  showDocuments,
  unlinkFromSession,
} from '../documents/documents.ts'
import {
  deleteWorkspace,
  insertWorkspace,
  linkWorkspace,
  listWorkspaces,
  readWorkspace,
  unlinkWorkspace,
  updateWorkspace,
} from './store.ts'

/** Shelves of documents, and which of them a chat answers from. */
export function serveWorkspaces(server: Server, deps: RunDeps): void {
  serveShelves(server, deps)
  serveTheirDocuments(server, deps)
  serveLinks(server, deps)
}

function serveShelves(server: Server, { db, clock }: RunDeps): void {
  const show = async (id: string) => {
    const workspace = await readWorkspace(db, id)
    if (!workspace) throw new AppError('not_found', 'Workspace not found')
    return workspace
  }
  serve(server, contract.listWorkspaces, {
    handle: async ({ query, user }) => {
      if (query.chat_session_id) await findAllowed(db, user, 'read session', query.chat_session_id)
      await defaultWorkspace(db, user.id)
      const { items, total } = await listWorkspaces(db, user, query)
      return { items, total, page: query.page, has_more: query.page * query.limit < total }
    },
  })
  serve(server, contract.getWorkspace, { handle: ({ params }) => show(params.workspaceId) })
  serve(server, contract.createWorkspace, {
    handle: async ({ body: { name, description, chat_session_id }, user }) => {
      if (chat_session_id) await findAllowed(db, user, 'write session', chat_session_id)
      const texts = {
        name: cleanCharacters(name),
        description: description ? cleanCharacters(description) : null,
      }
      const id = await db.transaction().execute(async (trx) => {
        const made = await insertWorkspace(trx, { user_id: user.id, ...texts })
        if (chat_session_id) await linkWorkspace(trx, chat_session_id, made)
        return made
      })
      return show(id)
    },
  })
  serve(server, contract.changeWorkspace, {
    handle: async ({ params, body }) => {
      const { name, description } = body
      const changes = {
        ...(name !== undefined && { name: cleanCharacters(name) }),
        ...(description !== undefined && { description: description && cleanCharacters(description) }),
      }
      if (!(await updateWorkspace(db, params.workspaceId, changes, clock.now()))) throw isDefault('changed')
      return show(params.workspaceId)
    },
  })
  serve(server, contract.deleteWorkspace, {
    handle: async ({ params: { workspaceId }, user, request }) => {
      await db.transaction().execute(async (trx) => {
        if (!(await deleteWorkspace(trx, workspaceId))) throw isDefault('deleted')
        const entry = { did: 'workspace.removed' as const, subject: workspaceId }
        await auditBy({ clock }, { user, request })(trx, entry)
      })
      return { message: 'Workspace deleted' }
    },
  })
}

function serveTheirDocuments(server: Server, { db, clock }: RunDeps): void {
  serve(server, contract.listWorkspaceDocuments, {
    handle: async ({ params, query, user }) => {
      const scope = { workspace_id: params.workspaceId }
      const { rows, total } = await listDocuments(db, user, query, scope)
      const items = await showDocuments({ db, clock }, rows)
      return { items, total, page: query.page, has_more: query.page * query.limit < total }
    },
  })
  serve(server, contract.countWorkspaceDocuments, {
    handle: async ({ params, user }) => ({ total: await countInWorkspace(db, user, params.workspaceId) }),
  })
  serve(server, contract.addToWorkspace, {
    handle: async ({ params, body, user }) => {
      for (const id of body.document_ids) await findAllowed(db, user, 'read document', id)
      await linkToWorkspace(db, params.workspaceId, body.document_ids, user.id)
      return { total: await countInWorkspace(db, user, params.workspaceId) }
    },
  })
}

function serveLinks(server: Server, { db }: RunDeps): void {
  serve(server, contract.linkWorkspace, {
    handle: async ({ params, user }) => {
      await findAllowed(db, user, 'read workspace', params.workspaceId)
      await linkWorkspace(db, params.sessionId, params.workspaceId)
      return { message: 'Workspace linked' }
    },
  })
  serve(server, contract.unlinkWorkspace, {
    handle: async ({ params }) => {
      await unlinkWorkspace(db, params.sessionId, params.workspaceId)
      return { message: 'Workspace unlinked' }
    },
  })
  serve(server, contract.linkDocument, {
    handle: async ({ params, user }) => {
      await findAllowed(db, user, 'read document', params.documentId)
      await linkToSession(db, params.sessionId, [params.documentId])
      return { message: 'Document linked' }
    },
  })
  serve(server, contract.unlinkDocument, {
    handle: async ({ params }) => {
      await unlinkFromSession(db, params.sessionId, params.documentId)
      return { message: 'Document unlinked' }
    },
  })
}

function isDefault(what: string): AppError {
  return new AppError('forbidden', `The default workspace cannot be ${what}.`)
}
