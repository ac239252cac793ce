import { randomUUID } from 'node:crypto'
import * as contract from '#shared/chat/sessions/sessions.ts'
import { defaultTitle } from '#shared/chat/sessions/titles.ts'
import { AppError } from '#shared/platform/errors.ts'
import { Id } from '#shared/platform/primitives.ts'
import { findModelFor } from '../../models/model-choice/model-choice.ts'
import { assertOpen, findAllowed } from '../../platform/access/access.ts'
import { cleanCharacters, toJson } from '../../platform/db/db.ts'
import { type Call, type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { findAssistant, findAssistants } from '../assistants/assistants.ts'
import { defaultsOf } from '../projects/projects.ts'
import { serveDeletion } from './deletion.ts'
import { serveOfferedTools } from './offered-tools.ts'
import {
  changeMetadata,
  changeSession,
  insertSession,
  listSessions,
  readSession,
  takeUntouched,
} from './store.ts'
import { newLease } from './temporary-store.ts'

export { chatLimits, deleteChat, purgeChat } from './deletion.ts'
export { endTemporary } from './end-temporary.ts'
export { escapeLike, markMatch } from './match.ts'
export { chosenTools, isUsual } from './offered-tools.ts'
export { refuseTemporary } from './refuse-temporary.ts'
export { searchFairly } from './search-store.ts'
export { insertSession, readSession } from './store.ts'
export { keepTemporary, listEnded, renewLease } from './temporary-store.ts'
export { endSessions, listEndedSessions, unhideSessions } from './trash-store.ts'

/** Serves sessions: create, list, search, rename, delete, and choose the model. */
export function serveSessions(server: Server, deps: Deps): void {
  serve(server, contract.listSessions, {
    handle: async ({ user, query }) => {
      if (query.workspace_id) await findAllowed(deps.db, user, 'read workspace', query.workspace_id)
      return listSessions(deps, user, { ...query, q: query.q || undefined })
    },
  })
  serve(server, contract.createSession, {
    handle: async ({ user, body }) => createSession(deps, user, body),
  })
  serveOne(server, deps)
  serveDeletion(server, deps)
  serveModel(server, deps)
  serveAgent(server, deps)
  serveAssistant(server, deps)
  serveTeam(server, deps)
  serveOfferedTools(server, deps)
}

function serveOne(server: Server, deps: Deps): void {
  const { db } = deps
  serve(server, contract.getSession, {
    handle: ({ params, user }) => readSession(db, user, params.sessionId),
  })
  serve(server, contract.renameSession, {
    handle: async ({ params, user, body }) => {
      // A rename is not activity: the history order stays.
      const changes = { title: cleanCharacters(body.title), title_source: 'user' as const }
      await changeSession(db, params.sessionId, changes)
      return readSession(db, user, params.sessionId)
    },
  })
}

function serveModel(server: Server, deps: Deps): void {
  const { db, clock } = deps
  serve(server, contract.getSessionModel, {
    handle: async ({ params, user }) => {
      const { model_name } = await findAllowed(db, user, 'read session', params.sessionId)
      return { model_name }
    },
  })
  serve(server, contract.setSessionModel, {
    handle: async ({ params, user, body }) => {
      const { id: model_name } = await findModelFor(deps, user.id, body.model_name)
      const changes = { model_name, updated_at: clock.now() }
      await changeSession(db, params.sessionId, changes)
      return { model_name }
    },
  })
}

function serveAgent(server: Server, deps: Deps): void {
  serve(server, contract.setSessionAgent, {
    handle: async ({ params, user, body: { agent_type } }) => {
      if (agent_type === 'deep_research')
        await assertOpen(deps.grants, user.id, { kind: 'feature', id: agent_type })
      await changeMetadata(deps, params.sessionId, { agent_type })
      return { agent_type }
    },
  })

  serve(server, contract.tuneSession, {
    handle: async ({ params, body }) => {
      await changeMetadata(deps, params.sessionId, body)
      return body
    },
  })
}

function serveAssistant(server: Server, deps: Deps): void {
  serve(server, contract.setSessionAssistant, {
    handle: async ({ params, user, body }) => {
      const id = body.assistant_id
      const assistant = id === null ? null : await findAssistant(deps, user, readId(id))
      const chosen = {
        assistant_id: assistant?.id ?? null,
        agent_type: assistant?.agent_type ?? 'multi_turn',
      }
      await changeMetadata(deps, params.sessionId, chosen)
      return chosen
    },
  })
}

function serveTeam(server: Server, deps: Deps): void {
  serve(server, contract.setSessionTeam, {
    handle: async ({ params, user, body }) => {
      const chosen = { session_assistants: await keepUsable(deps, user, body.assistant_ids) }
      await changeMetadata(deps, params.sessionId, chosen)
      return chosen
    },
  })
}

/** Keeps the usable ids, so that one deleted since the choice does not block the others. */
async function keepUsable(deps: Deps, user: Caller, ids: string[]): Promise<string[]> {
  return (await findAssistants(deps, user, ids)).map(({ id }) => id)
}

const noDefaults = { assistant: null, model_name: null }

type CreateBody = Call<typeof contract.createSession>['body']

/** @throws AppError `not_found`, `forbidden` for an assistant that is not the caller's to use */
async function createSession(deps: Deps, user: Caller, body: CreateBody) {
  const { db } = deps
  const assistantId = body.assistant_id || body.session_metadata?.assistant_id
  const { workspace_id } = body
  const defaults = workspace_id ? await defaultsOf(deps, user, workspace_id) : noDefaults
  const assistant = assistantId ? await findAssistant(deps, user, readId(assistantId)) : defaults.assistant
  const model_name = body.model_name
    ? (await findModelFor(deps, user.id, body.model_name)).id
    : defaults.model_name
  const isPlain = !assistant && !model_name && !body.session_metadata && !workspace_id && !body.is_temporary
  const untouched = body.reuse_empty && isPlain && !body.id ? await takeUntouched(deps, user.id) : null
  if (untouched) return readSession(db, user, untouched)
  const id = body.id ?? randomUUID()
  const metadata = { agent_type: assistant?.agent_type ?? 'multi_turn', ...body.session_metadata }
  if (assistant) metadata.assistant_id = assistant.id
  if (metadata.session_assistants)
    metadata.session_assistants = await keepUsable(deps, user, metadata.session_assistants)
  if (body.is_temporary) await assertOpen(deps.grants, user.id, { kind: 'feature', id: 'temporary_chats' })
  await insertSession(db, {
    ...{ id, user_id: user.id, title: defaultTitle(id), model_name, session_metadata: toJson(metadata) },
    ...(body.is_temporary && {
      ...{ origin: 'temporary' as const, lease_until: newLease(), lease_token: user.tokenHash },
    }),
    ...(workspace_id && { workspace_id }),
  })
  // An existing session with this id must belong to the caller.
  if (body.id) await findAllowed(db, user, 'manage session', id)
  return readSession(db, user, id)
}

/** Parses an id; anything else becomes an id that matches nothing. */
function readId(text: string): string {
  const id = Id.safeParse(text)
  if (!id.success) throw new AppError('not_found', 'Assistant not found')
  return id.data
}
