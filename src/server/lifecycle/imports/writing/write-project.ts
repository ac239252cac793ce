import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import { ProjectColour, ProjectIcon } from '#shared/chat/projects/looks.ts'
import { MAX_INSTRUCTION_VERSIONS, MAX_INSTRUCTIONS } from '#shared/chat/projects/projects.ts'
import { MAX_MODEL_NAME } from '#shared/models/connections/model-name.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import { linkToWorkspace } from '../../../knowledge/documents/documents.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import type { ForeignProject } from '../readers/foreign.ts'
import { takeClass } from './class-store.ts'
import { deriveId } from './derived-id.ts'
import { insertInstructions, insertMark, insertProject } from './project-store.ts'
import { findThing, findThings, insertThings } from './thing-store.ts'
import { holdImport, type Work } from './work.ts'

const [MAX_NAME, MAX_DESCRIPTION] = [100, 1_000]
/** Documents put into one project. */
const MAX_DOCUMENTS = 10_000

/** Stores a project of the person with its instructions and the imported documents, without members and budgets. @throws Stopped */
export async function writeProject(work: Work, project: ForeignProject): Promise<void> {
  const { deps, origin, importId } = work
  await deps.db.transaction().execute(async (trx) => {
    await holdImport(work, trx)
    if ((await findThing(trx, origin, 'project', project.id)) !== null) return
    const id = deriveId(origin, 'project', project.id)
    const now = deps.clock.now()
    const at = earlier(project.at, now)
    const instructions = instructionsOf(project, at)
    await insertProject(trx, {
      ...{ id, user_id: origin.user_id, name: shortLabel(project.name, MAX_NAME) },
      description: project.description && cleanCharacters(project.description).slice(0, MAX_DESCRIPTION),
      colour: ProjectColour.safeParse(project.colour).data ?? 'blue',
      icon: ProjectIcon.safeParse(project.icon).data ?? 'folder',
      // An assistant that is imported later gets the place of its derived id.
      assistant_id:
        (await findAssistant(work, trx, project.assistant)) ??
        (project.assistant && deriveId(origin, 'assistant', project.assistant)),
      model_name: project.model && cleanLabel(project.model).slice(0, MAX_MODEL_NAME),
      ...{ created_at: at, updated_at: at, archived_at: project.archived && earlier(project.archived, now) },
      instructions: instructions.at(-1)?.text ?? '',
      instructions_version: instructions.at(-1)?.version ?? 0,
    })
    if (project.dataClass)
      await takeClass(trx, { kind: 'project', id, userId: origin.user_id }, project.dataClass)
    await insertInstructions(trx, id, instructions)
    const files = project.documents.slice(0, MAX_DOCUMENTS).map((document) => `document/${document}`)
    const documents = [...(await findThings(trx, origin, 'file', files)).values()]
    if (documents.length > 0) await linkToWorkspace(trx, id, documents, origin.user_id)
    if (project.mark) await insertMark(trx, { user_id: origin.user_id, workspace_id: id, ...project.mark })
    const place = { ...origin, kind: 'project' as const, import_id: importId, session_id: null }
    await insertThings(trx, place, [{ foreign_id: project.id, thing_id: id }])
  })
}

const earlier = (time: Date | null, now: Date) => (time && time < now ? time : now)

const shortLabel = (text: string, most: number) =>
  cleanLabel(text).trim().slice(0, most).toWellFormed() || '…'

/** Returns the newest versions, numbered from 1. */
function instructionsOf({ instructions }: ForeignProject, at: Date) {
  return instructions.slice(-MAX_INSTRUCTION_VERSIONS).map((one, index) => ({
    version: index + 1,
    text: cleanCharacters(one.text).slice(0, MAX_INSTRUCTIONS).toWellFormed(),
    created_at: one.at ?? at,
  }))
}

/** Returns the imported assistant, or the id of one that every installation has; null for others. */
export async function findAssistant(
  { origin }: Work,
  trx: Work['deps']['db'],
  id: string | null | undefined,
): Promise<string | null> {
  if (!id) return null
  return builtInIds.includes(id) ? id : findThing(trx, origin, 'assistant', id)
}
