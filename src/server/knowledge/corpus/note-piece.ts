import type { CorpusNote, CorpusPiece, CorpusTask } from '#shared/knowledge/corpus/corpus-port.ts'
import { type ToldPassage, writeEvidence } from '../../models/models/evidence.ts'
import type { Person } from '../../platform/access/access.ts'
import { noteDocuments } from '../../platform/access/classes/classes.ts'
import { type RagDeps, tellPassages } from '../rag/rag.ts'
import { readPassages } from '../search/search.ts'
import { type Asking, askModel } from './ask-model.ts'
import { JOIN_NOTES, NOTE_PIECE } from './corpus-prompts.ts'
import { basisOf, readableLines, readNote, tellNotes } from './notes.ts'

type By = Asking & { person: Person }

/** Notes what a piece says about a task, from the passages that the person may read now. @throws ModelError, AppError */
export async function notePiece(
  deps: RagDeps,
  by: By,
  task: CorpusTask,
  piece: CorpusPiece,
): Promise<CorpusNote> {
  const { told, ids, read } =
    'chunks' in piece ? await tellChunks(deps, by, piece.chunks) : tellSpan(task, piece.span)
  if (read === 0) return { lines: [], read }
  const user = `${task.task}\n\n${told}`
  const passages = ids.length > 0 ? ids : [null]
  const { text } = await askModel(deps, by, { system: NOTE_PIECE, user, passages, absent: '' })
  return readNote(text, ids, read)
}

async function tellChunks({ db }: RagDeps, { person }: By, chunks: readonly string[]) {
  const readable = await readPassages(db, person, {}, chunks)
  const given = chunks.flatMap((id) => readable.get(id) ?? [])
  await noteDocuments(
    db,
    given.map(({ document_id }) => document_id),
  )
  const told = tellPassages(given.map((passage, at) => ({ number: at + 1, passage })))
  return { told, ids: given.map(({ id }) => id), read: given.length }
}

function tellSpan({ text = '' }: CorpusTask, [from, to]: [number, number]) {
  const passages: ToldPassage[] = [{ number: 1, text: text.slice(from, to) }]
  return { told: writeEvidence([{ name: '', parts: [{ place: '', passages }] }]), ids: [], read: 1 }
}

/** Joins several notes into one, without lines that rely on passages deleted since. @throws ModelError, AppError */
export async function joinNotes(
  deps: RagDeps,
  by: By,
  { task }: CorpusTask,
  notes: readonly CorpusNote[],
): Promise<CorpusNote> {
  const read = notes.reduce((sum, note) => sum + note.read, 0)
  const basis = basisOf(notes.flatMap(({ lines }) => lines))
  const lines = readableLines(notes, await readPassages(deps.db, by.person, {}, basis))
  if (lines.length === 0) return { lines, read }
  const { text: told, passages } = tellNotes(lines)
  const { text } = await askModel(deps, by, {
    ...{ system: JOIN_NOTES, user: `${task}\n\n${told}`, passages, absent: '' },
  })
  return readNote(text, basisOf(lines), read)
}
