import type { ImportProblem, ProblemReason } from '#shared/lifecycle/imports/imports.ts'
import { AppError } from '#shared/platform/errors.ts'
import { AFTER_READING, insertProblems } from '../import-store.ts'
import type { ForeignItem } from '../readers/foreign.ts'
import { Elsewhere, Repeated, type Work } from './work.ts'
import { writeAssistant, writePrompt } from './write-assistant.ts'
import { writeChat } from './write-chat.ts'
import { writeDocument } from './write-document.ts'
import { writeJournal } from './write-journal.ts'
import { writeFact, writeSchedule } from './write-kept.ts'
import { writeCall, writeMedia } from './write-made.ts'
import { writeFork, writeMemoryUse } from './write-places.ts'
import { writeProject } from './write-project.ts'

/** Writes one thing of an export, unless it is here already. `place` is its number. @throws AppError `quota_exceeded`, `storage_full`; Stopped */
export async function writeItem(work: Work, item: ForeignItem, place: number): Promise<void> {
  switch (item.kind) {
    case 'chat':
      return orProblem(work, { kind: 'chat', title: item.title, place }, () => writeChat(work, item))
    case 'document':
      return writeDocument(work, item)
    case 'project':
      return orProblem(work, { kind: 'project', title: item.name, place }, () => writeProject(work, item))
    case 'fork':
      return orProblem(work, { kind: 'chat', title: '', place }, () => writeFork(work, item))
    case 'memory_use':
      return orProblem(work, { kind: 'chat', title: '', place }, () => writeMemoryUse(work, item))
    case 'journal':
      return orProblem(work, { kind: 'chat', title: '', place }, () => writeJournal(work, item))
    case 'assistant':
      return orProblem(work, { kind: 'assistant', title: item.name, place }, () => writeAssistant(work, item))
    case 'prompt':
      return orProblem(work, { kind: 'prompt', title: item.name, place }, () => writePrompt(work, item))
    case 'fact':
      return orProblem(work, { kind: 'fact', title: item.text, place }, () => writeFact(work, item))
    case 'schedule':
      return orProblem(work, { kind: 'schedule', title: item.name, place }, () => writeSchedule(work, item))
    case 'call':
      return orProblem(work, { kind: 'chat', title: '', place }, () => writeCall(work, item))
    case 'media':
      return orProblem(work, { kind: 'file', title: item.file.name, place }, () => writeMedia(work, item))
    default:
      item satisfies never
  }
}

/** Lists what the limits of a person refuse, and continues. */
async function orProblem(
  { deps, importId }: Work,
  at: { kind: ImportProblem['kind']; title: string; place: number },
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (error instanceof Repeated) return
    const reason = reasonOf(error)
    if (reason === null) throw error
    if (!(error instanceof AppError)) deps.log.warn({ error, import: importId }, 'An entry was refused.')
    const problem = { kind: at.kind, title: at.title.slice(0, 200), reason }
    await insertProblems(deps.db, importId, [{ ...problem, place: AFTER_READING + at.place, number: 0 }])
  }
}

/** Returns the reason when only this entry cannot be stored; null when the import cannot continue. */
function reasonOf(error: unknown): ProblemReason | null {
  if (error instanceof Elsewhere) return 'of_project'
  if (error instanceof AppError && error.code === 'conflict') return 'limit'
  if (error instanceof AppError && error.code === 'invalid') return 'damaged'
  return isRefusedData(error) ? 'damaged' : null
}

/** PostgreSQL refused a value (class 22), a repeated id, or something larger than it stores (class 54). */
function isRefusedData(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(?:22|54)...$/.test(code) || code === '23505'
}
