import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Person } from '../../platform/access/access.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RunInput } from '../../runs/runs/runs.ts'
import { areInScope, type Scope } from '../search/search.ts'
import { hasLinks } from './chat-scope-store.ts'

/** The tool that searches documents: whoever may not use it is answered from none. */
export const documentSearch = { kind: 'tool', id: 'document_search' } as const

/** What a chat's assistant brings along. */
export type Beside = Pick<Assistant, 'documents' | 'workspaces'>

type Db = Pick<Platform, 'db'>
type ReadingRun = Pick<RunInput, 'session_id' | 'library' | 'standalone'>

/**
 * What a run may read of the documents of its person: those its chat answers from; null for all of them, where the chat has none. A
 * run that began with a scope keeps one when the last of its documents goes meanwhile.
 */
export async function scopeOfRun(
  { db }: Db,
  { session_id, library, standalone }: ReadingRun,
): Promise<Scope | null> {
  const chat = standalone ? standalone.session_id : session_id
  if (!chat || (!library && !(await hasLinks(db, chat)))) return null
  const { beside = [], workspaces = [] } = library ?? {}
  return { session_id: chat, beside, beside_workspaces: workspaces }
}

/**
 * Checks that documents a model, or the interface of a tool, names are within what its chat answers from. A person who executes a tool
 * by themselves may name whatever they may read. @throws AppError `forbidden`
 */
export async function assertInScope(
  deps: Db,
  person: Person,
  input: ReadingRun,
  documentIds: readonly string[],
): Promise<void> {
  if (documentIds.length === 0 || isAskedByPerson(input)) return
  const scope = await scopeOfRun(deps, input)
  if (!scope || (await areInScope(deps.db, person, scope, documentIds))) return
  throw new AppError(
    'forbidden',
    'This chat answers from documents chosen for it, and one that was named is not among them. Only a person can add it to the chat.',
  )
}

/** Whether a person started the tool of this run: its arguments are then their own words. */
export function isAskedByPerson({ standalone }: Pick<RunInput, 'standalone'>): boolean {
  return standalone !== undefined && standalone.by_interface !== true
}

/** What a run keeps of what its chat answers from; nothing when that is nothing, or searching it is closed to the person. */
export async function freezeLibrary(
  { db, grants }: Pick<Platform, 'db' | 'grants'>,
  userId: string,
  sessionId: string,
  { documents, workspaces }: Beside,
): Promise<Pick<RunInput, 'library'>> {
  if ((await grants.closedTo(userId)).has('tool', documentSearch.id)) return {}
  const library = { beside: documents, ...(workspaces.length > 0 && { workspaces }) }
  const hasAny = documents.length + workspaces.length > 0 || (await hasLinks(db, sessionId))
  return hasAny ? { library } : {}
}
