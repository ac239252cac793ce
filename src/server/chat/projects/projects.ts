import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import * as contract from '#shared/chat/projects/projects.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy } from '../../identity/audit/audit.ts'
import { findModelFor } from '../../models/model-choice/model-choice.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { RunInput } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { changeMarks, lockOrder, numberProjects } from './mark-store.ts'
import { serveMembers } from './members.ts'
import { placeChats } from './place-chats.ts'
import { findUsable, serveSettings } from './settings.ts'
import { findChatProject } from './settings-store.ts'
import { listOrder, listProjects } from './store.ts'
import { serveUnanswered } from './unanswered/unanswered.ts'

export { findUsable, showProject } from './settings.ts'
export { lockProject } from './settings-store.ts'

/** Serves projects: workspaces with instructions, members and chats, and their places in each person's sidebar. */
export function serveProjects(server: Server, deps: Deps): void {
  const { db } = deps
  serve(server, contract.listProjects, {
    handle: async ({ user, query }) => ({ items: await listProjects(db, user, query.archived === 'true') }),
  })
  serveSettings(server, deps)
  serveMembers(server, deps)
  serveUnanswered(server, deps)
  serve(server, contract.placeChats, {
    handle: async ({ user, body, request }) => ({
      items: await placeChats(deps, user, body.items, auditBy(deps, { user, request })),
    }),
  })
  serveMarks(server, deps)
}

function serveMarks(server: Server, { db }: Deps): void {
  serve(server, contract.markProjects, {
    handle: async ({ user, body }) => {
      const marks = new Map<string, contract.ProjectMark>()
      for (const item of body.items)
        marks.set(item.workspace_id, { ...marks.get(item.workspace_id), ...item })
      await changeMarks(db, user, [...marks.values()])
      return { message: 'The projects were changed.' }
    },
  })
  serve(server, contract.orderProjects, {
    handle: async ({ user, body: { workspace_id, before } }) => {
      await db.transaction().execute(async (trx) => {
        await lockOrder(trx, user.id)
        const order = await listOrder(trx, user)
        if (!order.includes(workspace_id)) return
        const others = order.filter((id) => id !== workspace_id)
        const place = before === null ? -1 : others.indexOf(before)
        others.splice(place < 0 ? others.length : place, 0, workspace_id)
        await numberProjects(trx, user.id, others)
      })
      return { message: 'The project was moved.' }
    },
  })
}

/**
 * Returns the assistant and the model of a new chat in a project, as far as the caller may use them.
 * @throws AppError `not_found`, `forbidden` for a project the caller may not read, `conflict` for an archived one
 */
export async function defaultsOf(
  deps: Deps,
  user: Caller,
  projectId: string,
): Promise<{ assistant: Assistant | null; model_name: string | null }> {
  const project = await findAllowed(deps.db, user, 'read workspace', projectId)
  if (project.is_default) throw new AppError('not_found', 'Project not found')
  if (project.archived_at)
    throw new AppError('conflict', 'The project is archived. Restore it to begin chats in it.')
  const { assistant_id, model_name } = project
  const assistant = assistant_id ? await findUsable(deps, user, assistant_id) : null
  const model = model_name ? await findModelFor(deps, user.id, model_name).catch(() => null) : null
  return { assistant, model_name: model?.id ?? null }
}

/** Returns the instructions of a chat's project in their current version, to freeze with a run. */
export async function freezeProject(
  { db }: Pick<Deps, 'db'>,
  user: Caller,
  sessionId: string,
): Promise<Pick<RunInput, 'project'>> {
  if (user.kind === 'visitor' || user.audience) return {}
  const found = await findChatProject(db, user, sessionId)
  return found ? { project: found } : {}
}
