import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Person } from '../../platform/access/access.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RunInput } from '../../runs/runs/runs.ts'
import { areInScope, type Scope } from '../search/search.ts'
import { hasLinks } from './chat-scope-store.ts'

/** The tool that searches documents. Without access to it, a user gets no answers from documents. */
export const documentSearch = { kind: 'tool', id: 'document_search' } as const

/** Documents and workspaces of a chat's assistant. */
export type Beside = Pick<Assistant, 'documents' | 'workspaces'> & {
  /** The message names them, so that those of the chat are not searched. */
  isOnly?: boolean
}

type Db = Pick<Platform, 'db'>
type ReadingRun = Pick<RunInput, 'session_id' | 'library' | 'standalone'>

/**
 * Returns the documents a run may read: those its chat answers from, or null for the whole library when the chat has none. A run that began
 * with a scope keeps one, even when its last document is removed meanwhile.
 */
export async function scopeOfRun(
  { db }: Db,
  { session_id, library, standalone }: ReadingRun,
): Promise<Scope | null> {
  const chat = standalone ? standalone.session_id : session_id
  if (!chat || (!library && !(await hasLinks(db, chat)))) return null
  return scopeOfLibrary(chat, library)
}

/**
 * Checks that documents named by a model, or by the interface of a tool, are in the scope of its chat. A user who executes a tool directly
 * may name any document they may read. @throws AppError `forbidden`
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

/** Tells whether a user started the tool of this run, so that its arguments are the user's own. */
export function isAskedByPerson({ standalone }: Pick<RunInput, 'standalone'>): boolean {
  return standalone !== undefined && standalone.by_interface !== true
}

/** Returns the scope of a chat’s documents and of those that a message adds. A message that names documents replaces those of the chat. */
export function scopeOfLibrary(sessionId: string, library: RunInput['library']): Scope {
  const { beside = [], workspaces = [], only } = library ?? {}
  return { session_id: sessionId, beside, beside_workspaces: workspaces, ...(only && { only_beside: true }) }
}

/** Returns the scope that a run stores; empty when the chat has no documents, or the user may not search documents. */
export async function freezeLibrary(
  { db, grants }: Pick<Platform, 'db' | 'grants'>,
  userId: string,
  sessionId: string,
  { documents, workspaces, isOnly }: Beside,
): Promise<Pick<RunInput, 'library'>> {
  if ((await grants.closedTo(userId)).has('tool', documentSearch.id)) return {}
  const library = {
    beside: documents,
    ...(workspaces.length > 0 && { workspaces }),
    ...(isOnly && { only: true as const }),
  }
  const hasAny = documents.length + workspaces.length > 0 || (await hasLinks(db, sessionId))
  return hasAny ? { library } : {}
}
