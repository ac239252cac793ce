import { AppError } from '#shared/platform/errors.ts'
import type { PagePort, ViewedPage } from '#shared/tools/tools/page-port.ts'
import { isAskedByPerson, scopeOfRun } from '../../knowledge/rag/rag.ts'
import { noteDocuments } from '../../platform/access/classes/classes.ts'
import type { Platform } from '../../platform/platform.ts'
import { type RunContext, readPerson } from '../../runs/runs/runs.ts'
import { drawPage, type Kit } from './draw-page.ts'
import { findPageFiles, type PageFile } from './store.ts'

type Run = Pick<RunContext, 'input' | 'signal'>

/** Documents named to a model that asks for one that is not there. */
const MAX_TOLD = 20

/** Pages of documents as a tool of a run shows them. */
export function createPagePort(kit: Kit, run: Run, signal: AbortSignal): PagePort {
  return {
    view: async (document, page): Promise<ViewedPage> => {
      const found = await findInScope(kit, run, document)
      if (!found) throw await notFound(kit, run, document)
      const { id, name, pages } = found
      await noteDocuments(kit.db, [id])
      if (pages !== null && page > pages) throw new AppError('invalid', `page: “${name}” has ${pages} pages.`)
      if (!(await drawPage(kit, found, page, signal)))
        throw new AppError('invalid', `Page ${page} of “${name}” cannot be shown as a picture.`)
      return { type: 'page_reference', document_id: id, document_name: name, page, pages }
    },
  }
}

/** Returns the file of a document that the person may read and that the chat answers from, or null. */
export async function findInScope(
  kit: Pick<Platform, 'db' | 'config' | 'audiences'>,
  run: Run,
  document: string,
): Promise<PageFile | null> {
  const [file = null] = await listInScope(kit, run, document, 1)
  return file
}

/** A person who executes the tool by themselves may name whatever they may read. */
async function listInScope(
  kit: Pick<Platform, 'db' | 'config' | 'audiences'>,
  run: Run,
  document: string | null,
  most: number,
) {
  const person = await readPerson(kit, run.input)
  const scope = isAskedByPerson(run.input) ? null : await scopeOfRun(kit, run.input)
  return findPageFiles(kit.db, person, { scope: scope ?? {}, document }, most)
}

/** Tells the model which documents it may name. */
async function notFound(
  kit: Pick<Platform, 'db' | 'config' | 'audiences'>,
  run: Run,
  document: string,
): Promise<AppError> {
  const others = await listInScope(kit, run, null, MAX_TOLD)
  const names = others.map(({ name }) => name).join(', ')
  const told = names === '' ? '' : ` Documents with pages: ${names}.`
  return new AppError('not_found', `No document with pages is named “${document}”.${told}`)
}
