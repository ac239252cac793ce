import * as contract from '#shared/chat/projects/projects.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Audit, auditBy, changed } from '../../identity/audit/audit.ts'
import { findModelFor } from '../../models/model-choice/model-choice.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import { type Call, type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { findAssistant } from '../assistants/assistants.ts'
import { insertInstructions, listInstructions, lockProject, updateProject } from './settings-store.ts'
import { findProject, withRole } from './store.ts'

/** Serves the settings of a project: name, look, instructions with their versions, default assistant and model. */
export function serveSettings(server: Server, deps: Deps): void {
  serve(server, contract.getProject, {
    handle: ({ params, user }) => showProject(deps, user, params.workspaceId),
  })
  serve(server, contract.changeProject, {
    handle: async ({ params: { workspaceId }, body, user, request }) => {
      await changeProject(deps, user, workspaceId, body, auditBy(deps, { user, request }))
      return showProject(deps, user, workspaceId)
    },
  })
  serve(server, contract.listInstructions, {
    handle: async ({ params, query: { before = null, limit } }) => {
      const found = await listInstructions(deps.db, params.workspaceId, { before, limit: limit + 1 })
      const items = found
        .slice(0, limit)
        .map(({ created_at, ...version }) => ({ ...version, created_at: created_at.toISOString() }))
      return { items, has_more: found.length > limit }
    },
  })
}

/** Returns a project with its settings. @throws AppError `not_found` */
export async function showProject(deps: Deps, user: Caller, id: string): Promise<contract.ProjectDetails> {
  const row = await findProject(deps.db, user, id)
  if (!row) throw unknownProject()
  const { assistant_id, ...project } = withRole(row)
  const assistant = assistant_id ? await findUsable(deps, user, assistant_id) : null
  return {
    ...project,
    assistant: assistant_id === null ? null : { id: assistant_id, name: assistant?.name ?? null },
  }
}

type Changes = Call<typeof contract.changeProject>['body']

/** @throws AppError `not_found`, `not_available` for an assistant or model, `conflict` for instructions that changed */
async function changeProject(deps: Deps, user: Caller, id: string, body: Changes, audit: Audit) {
  const { assistant_id, model_name, instructions, name, description, colour, icon } = body
  if (assistant_id) await findAssistant(deps, user, assistant_id)
  const model = model_name ? (await findModelFor(deps, user.id, model_name)).id : model_name
  await deps.db.transaction().execute(async (trx) => {
    const before = await lockProject(trx, id)
    if (!before) throw unknownProject()
    const version = await saveInstructions(trx, before, instructions, user.id)
    await updateProject(trx, id, {
      ...(name !== undefined && { name: cleanCharacters(name) }),
      ...(description !== undefined && { description: description && cleanCharacters(description) }),
      ...(colour && { colour }),
      ...(icon && { icon }),
      ...(assistant_id !== undefined && { assistant_id }),
      ...(model !== undefined && { model_name: model }),
      ...version,
      updated_at: deps.clock.now(),
    })
    const changes = Object.keys(body).flatMap((field) => changed(field, null, 'changed'))
    await audit(trx, { did: 'project.changed', subject: before.name, subjectId: id, changes })
  })
}

type Stored = { id: string; instructions: string; instructions_version: number }

/** Stores a new version when the text differs. Returns the columns to change. @throws AppError `conflict` */
async function saveInstructions(
  trx: Parameters<typeof insertInstructions>[0],
  before: Stored,
  wish: Changes['instructions'],
  savedBy: string,
) {
  if (!wish) return {}
  const text = cleanCharacters(wish.text)
  if (text === before.instructions) return {}
  if (wish.based_on !== before.instructions_version)
    throw new AppError('conflict', 'Someone else changed the instructions. Read them and save again.')
  const version = before.instructions_version + 1
  await insertInstructions(trx, before.id, { version, text, savedBy })
  return { instructions: text, instructions_version: version }
}

/** Returns an assistant while the caller may use it, otherwise null. */
export function findUsable(deps: Deps, user: Caller, id: string) {
  return findAssistant(deps, user, id).catch((error) => {
    if (error instanceof AppError) return null
    throw error
  })
}

function unknownProject(): AppError {
  return new AppError('not_found', 'Project not found')
}
