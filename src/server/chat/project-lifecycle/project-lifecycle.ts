import * as contract from '#shared/chat/project-lifecycle/project-lifecycle.ts'
import { auditBy } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { showProject } from '../projects/projects.ts'
import { archive, restore } from './archive.ts'
import { countContents } from './content-store.ts'
import { registerChatCopies } from './copy-chats.ts'
import { deleteProject } from './delete-project.ts'
import { duplicateProject } from './duplicate-project.ts'
import { registerHandedDocuments } from './hand-over-documents.ts'
import { listUnmanaged } from './manager-store.ts'
import { nameManager } from './name-manager.ts'
import { serveProjectBudgets } from './project-budgets.ts'
import { serveProjectSchedules } from './project-schedules.ts'

/** Serves the states of projects: archive, restore, delete, duplicate, those without a manager, their budgets and schedules. */
export function serveProjectLifecycle(server: Server, deps: Deps): void {
  const { db } = deps
  registerChatCopies(deps)
  registerHandedDocuments(deps)
  serve(server, contract.archiveProject, {
    handle: async ({ params: { projectId }, user, request }) => {
      await archive(deps, projectId, auditBy(deps, { user, request }))
      return showProject(deps, user, projectId)
    },
  })
  serve(server, contract.restoreProject, {
    handle: async ({ params: { projectId }, user, request }) => {
      await restore(deps, projectId, auditBy(deps, { user, request }))
      return showProject(deps, user, projectId)
    },
  })
  serve(server, contract.countContents, {
    handle: ({ params: { projectId }, user }) => countContents(db, user, projectId),
  })
  serve(server, contract.deleteProject, {
    handle: async ({ params: { projectId }, body, user, request }) => {
      await deleteProject(deps, user, projectId, body, auditBy(deps, { user, request }))
      return { message: 'The project was deleted.' }
    },
  })
  serve(server, contract.duplicateProject, {
    handle: async ({ params: { projectId }, body, user, request }) => {
      await duplicateProject(deps, user, projectId, body, auditBy(deps, { user, request }))
      return showProject(deps, user, body.id)
    },
  })
  serveUnmanaged(server, deps)
  serveProjectBudgets(server, deps)
  serveProjectSchedules(server, deps)
}

function serveUnmanaged(server: Server, deps: Deps): void {
  serve(server, contract.listUnmanagedProjects, {
    handle: async ({ user, query: { page, limit } }) => {
      const skip = (page - 1) * limit
      const { items, total } = await listUnmanaged(deps.db, user, { skip, limit })
      return { items, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.nameManager, {
    handle: async ({ params, body: { user_id }, user, request }) => {
      await nameManager(deps, user, params.unmanagedProjectId, user_id, auditBy(deps, { user, request }))
      return { message: 'The project has a manager.' }
    },
  })
}
