import { NewAssistant } from '#shared/chat/assistants/assistants.ts'
import { NewPrompt } from '#shared/chat/prompts/prompts.ts'
import { AppError } from '#shared/platform/errors.ts'
import { AgentType } from '#shared/runs/runs/agent-type.ts'
import { createAssistant, sortParts } from '../../../chat/assistants/assistants.ts'
import { createPrompts, findUsable } from '../../../chat/prompts/prompts.ts'
import type { ForeignAssistant, ForeignPrompt } from '../readers/foreign.ts'
import { deriveId } from './derived-id.ts'
import { adoptAssistant } from './project-store.ts'
import { findThing, findThings, insertThings, type ThingKind } from './thing-store.ts'
import { holdImport, Repeated, type Work } from './work.ts'
import { writeFile } from './write-file.ts'
import { findAssistant } from './write-project.ts'

/** The log has the start of the import instead of each thing. */
const unrecorded = async () => undefined

/**
 * Stores an assistant as a private draft, because its words come from a file. One of our archive has the model, tools and projects that
 * the person may use here; others have no tools. @throws AppError; Stopped
 */
export async function writeAssistant(work: Work, assistant: ForeignAssistant): Promise<void> {
  const { deps, origin, user } = work
  if ((await findThing(deps.db, origin, 'assistant', assistant.id)) !== null) return
  const documents: string[] = []
  for (const file of assistant.files) {
    const id = await writeFile(work, file, { sessionId: null, messageId: null })
    if (id !== null) documents.push(id)
  }
  const parsed = NewAssistant.safeParse({
    ...{ name: assistant.name.slice(0, 100), description: assistant.description.slice(0, 500) },
    system_prompt: assistant.instructions.slice(0, 50_000),
    example_prompts: assistant.examples.slice(0, 20).map((one) => one.slice(0, 1_000)),
    temperature: assistant.temperature === null ? null : Math.min(Math.max(assistant.temperature, 0), 2),
    ...(await settingsOf(work, assistant, documents.slice(0, 1_000))),
    status: 'draft',
  })
  if (!parsed.success) throw new AppError('invalid', 'The assistant is not valid.')
  await createAssistant(deps, user, parsed.data, unrecorded, {
    isImported: true,
    also: async (trx, thing_id) => {
      await note(work, trx, 'assistant', assistant.id, thing_id)
      const from = deriveId(origin, 'assistant', assistant.id)
      await adoptAssistant(trx, origin.user_id, { from, to: thing_id })
    },
  })
}

async function settingsOf({ deps, origin, user }: Work, { settings }: ForeignAssistant, documents: string[]) {
  if (!settings) return { documents, tools: [] }
  const projects = await findThings(deps.db, origin, 'project', settings.projects.slice(0, 100))
  const { usable } = await sortParts(deps, user, {
    ...{ model_name: settings.model, tools: settings.tools?.slice(0, 100) ?? null },
    ...{ documents, workspaces: [...projects.values()] },
  })
  const agent = AgentType.safeParse(settings.agent).data
  return { ...usable, ...(agent && { agent_type: agent }), icon: settings.icon?.slice(0, 50) ?? null }
}

/** Stores a prompt with the settings that the person may use here. @throws AppError; Stopped */
export async function writePrompt(work: Work, prompt: ForeignPrompt): Promise<void> {
  const { deps, origin, user } = work
  const { id, name, command, text, fields } = prompt
  if ((await findThing(deps.db, origin, 'prompt', id)) !== null) return
  const parsed = NewPrompt.safeParse({ name, command, text, fields, ...(await startOf(work, prompt)) })
  if (!parsed.success) throw new AppError('invalid', 'The prompt is not valid.')
  await createPrompts(deps, user, [parsed.data], unrecorded, async (trx, ids) => {
    for (const thing_id of ids) await note(work, trx, 'prompt', id, thing_id)
  })
}

async function startOf(work: Work, { settings }: ForeignPrompt) {
  if (!settings) return {}
  const { deps, origin, user } = work
  const files = settings.documents.slice(0, 100).map((document) => `document/${document}`)
  const documents = [...(await findThings(deps.db, origin, 'file', files)).values()]
  const { usable } = await findUsable(deps, user, {
    assistant_id: await findAssistant(work, deps.db, settings.assistant),
    ...{ model_name: settings.model, tools: settings.tools?.slice(0, 100) ?? null, documents },
  })
  const { agent_type: _, ...rest } = usable
  return rest
}

async function note(
  work: Work,
  trx: Work['deps']['db'],
  kind: ThingKind,
  foreign_id: string,
  thing_id: string,
): Promise<void> {
  await holdImport(work, trx)
  if ((await findThing(trx, work.origin, kind, foreign_id)) !== null) throw new Repeated()
  const place = { ...work.origin, kind, import_id: work.importId, session_id: null }
  await insertThings(trx, place, [{ foreign_id, thing_id }])
}
