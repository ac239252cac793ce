import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import type { AssistantFile, MissingParts } from '#shared/chat/assistants/transfer.ts'
import * as contract from '#shared/chat/assistants/transfer.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { findModelFor } from '../../models/model-choice/model-choice.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import { createAssistant } from './create-assistant.ts'
import { findAssistant } from './find-assistant.ts'
import { findNames } from './store.ts'

/** The platform, and the lookup of a user's tools. */
export type Deps = ModelDeps & {
  tools: { load: (userId: string) => Promise<{ contract: { id: string; name: string } }[]> }
}

/** Serves assistant files, and the parts of an assistant a user may not use. */
export function serveTransfer(server: Server, deps: Deps): void {
  serve(server, contract.getMissingParts, {
    handle: async ({ params, user }) => {
      const { missing } = await sortParts(deps, user, await findAssistant(deps, user, params.assistantId))
      return missing
    },
  })
  serve(server, contract.exportAssistant, {
    handle: async ({ params: { assistantId }, user, request }) => {
      const file = await toFile(deps, user, await findAssistant(deps, user, assistantId))
      const entry = {
        subject: file.name,
        subjectId: assistantId,
        changes: changed('assistant', null, 'json'),
      }
      await auditBy(deps, { user, request })(deps.db, { did: 'export.created', ...entry })
      return file
    },
  })
  serve(server, contract.importAssistant, {
    handle: async ({ user, body, request }) => {
      const { atrium: _, format: __, documents, workspaces, tools, ...rest } = body
      const ids = {
        ...{ documents: documents.map(({ id }) => id), workspaces: workspaces.map(({ id }) => id) },
        tools: tools?.map(({ id }) => id) ?? null,
      }
      const { missing, usable } = await sortParts(deps, user, { ...rest, ...ids })
      const names = new Map(tools?.map(({ id, name }) => [id, name]))
      const left_out = {
        ...missing,
        tools: missing.tools.map(({ id }) => ({ id, name: names.get(id) || id })),
      }
      const draft = { ...rest, ...usable, status: 'draft' as const }
      const audit = auditBy(deps, { user, request })
      const assistant = await createAssistant(deps, user, draft, audit, { isImported: true })
      return { assistant, left_out }
    },
  })
}

type Parts = Pick<Assistant, 'model_name' | 'documents' | 'workspaces' | 'tools'>

/** Splits the parts of an assistant into usable and unusable ones. */
export async function sortParts(
  deps: Deps,
  user: Caller,
  { model_name, documents, workspaces, tools }: Parts,
): Promise<{ usable: Parts; missing: MissingParts }> {
  const [hasModel, names, shelves, offered] = await Promise.all([
    model_name === null || isOffered(deps, user, model_name),
    findNames(deps.db, user, 'document', documents),
    findNames(deps.db, user, 'workspace', workspaces),
    tools === null ? [] : deps.tools.load(user.id),
  ])
  const ids = new Set(offered.map(({ contract: { id } }) => id))
  return {
    usable: {
      model_name: hasModel ? model_name : null,
      documents: documents.filter((id) => names.has(id)),
      workspaces: workspaces.filter((id) => shelves.has(id)),
      tools: tools?.filter((id) => ids.has(id)) ?? null,
    },
    missing: {
      model: hasModel ? null : model_name,
      // Things the user may not see appear without a name.
      tools: tools?.filter((id) => !ids.has(id)).map((id) => ({ id, name: id })) ?? [],
      documents: documents.filter((id) => !names.has(id)).length,
      workspaces: workspaces.filter((id) => !shelves.has(id)).length,
    },
  }
}

async function isOffered(deps: Deps, user: Caller, name: string): Promise<boolean> {
  return findModelFor(deps, user.id, name).then(
    () => true,
    (error) => {
      if (error instanceof AppError) return false
      throw error
    },
  )
}

/** Builds an export file without the documents the user may not read. */
async function toFile(deps: Deps, user: Caller, assistant: Assistant): Promise<AssistantFile> {
  const { name, description, icon, agent_type, model_name, system_prompt } = assistant
  const { example_prompts, temperature, documents, workspaces, tools } = assistant
  const names = await findNames(deps.db, user, 'document', documents)
  const shelves = await findNames(deps.db, user, 'workspace', workspaces)
  const offered = await deps.tools.load(user.id)
  return {
    ...{ atrium: 'assistant', format: 1, name, description, icon, agent_type, model_name, system_prompt },
    ...{ example_prompts, temperature },
    documents: named(documents, names),
    workspaces: named(workspaces, shelves),
    tools:
      tools?.map((id) => {
        const tool = offered.find(({ contract: one }) => one.id === id)
        return { id, name: tool?.contract.name ?? id }
      }) ?? null,
  }
}

const named = (ids: string[], names: ReadonlyMap<string, string>) =>
  ids.flatMap((id) => (names.has(id) ? [{ id, name: (names.get(id) ?? '').slice(0, 500) }] : []))
