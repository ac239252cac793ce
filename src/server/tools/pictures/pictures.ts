import type { FilePart } from '../../models/models/port.ts'
import { noteDocuments } from '../../platform/access/classes/classes.ts'
import { type RunContext, readPerson } from '../../runs/runs/runs.ts'
import { listPictures } from '../images/images.ts'
import { drawPage, type Kit } from './draw-page.ts'
import { findReferences, type PageReference } from './find-references.ts'
import { findInScope } from './pages.ts'
import { listAttached } from './store.ts'

export { createPagePort } from './pages.ts'

type Run = Pick<RunContext, 'input' | 'signal'>

const MAX_PER_RESULT = 4
const MAX_ATTACHED = 8

/** A picture attached to a chat. */
export type AttachedPicture = { added_at: Date; part: FilePart }

/** Returns the newest pictures among a chat's documents, as far as the person may read them. */
export async function loadAttached(kit: Kit, run: Run): Promise<AttachedPicture[]> {
  const person = await readPerson(kit, run.input)
  const stored = await listAttached(kit.db, person, run.input.session_id, MAX_ATTACHED)
  await noteDocuments(
    kit.db,
    stored.map(({ id }) => id),
  )
  const drawn = await Promise.all(
    stored.map(async ({ added_at, ...file }) => ({
      added_at,
      part: await drawPage(kit, file, 1, run.signal),
    })),
  )
  return drawn.flatMap(({ added_at, part }) => (part ? [{ added_at, part }] : []))
}

/** Returns the pictures and the pages of documents that a tool's result refers to. */
export async function loadResultPictures(kit: Kit, run: Run, result: unknown): Promise<FilePart[]> {
  const { pictures, pages } = findReferences(result, MAX_PER_RESULT)
  const drawn = await Promise.all([
    ...(await loadMade(kit, run, pictures)),
    ...pages.map((page) => loadPage(kit, run, page)),
  ])
  return drawn.filter((part) => part !== null)
}

async function loadMade(kit: Kit, run: Run, ids: string[]) {
  if (ids.length === 0) return []
  const stored = await listPictures(kit.db, await readPerson(kit, run.input), ids)
  return stored.map((file) => drawPage(kit, file, 1, run.signal))
}

/** Access is checked again: a result may be older than a change of it. */
async function loadPage(kit: Kit, run: Run, { document_id, page }: PageReference): Promise<FilePart | null> {
  const file = await findInScope(kit, run, document_id)
  if (!file) return null
  await noteDocuments(kit.db, [file.id])
  return drawPage(kit, file, page, run.signal)
}
