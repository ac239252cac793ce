import type { Corpus, CorpusAnswer, CorpusNote, CorpusTask } from '#shared/knowledge/corpus/corpus-port.ts'
import type { Person } from '../../platform/access/access.ts'
import { NAMED, type RagDeps, sayAbsent, verifyCited } from '../rag/rag.ts'
import { type Passage, readPassages } from '../search/search.ts'
import { type Asking, askModel } from './ask-model.ts'
import { ANSWER_FROM_NOTES } from './corpus-prompts.ts'
import { sayNothing } from './corpus-texts.ts'
import { basisOf, readableLines, tellNotes } from './notes.ts'

type Read = { task: CorpusTask; corpus: Corpus; notes: readonly CorpusNote[] }

/** Answers the task from the notes of all pieces and verifies the answer against the passages it cites. @throws ModelError, AppError */
export async function answerFromNotes(
  deps: RagDeps,
  by: Asking & { person: Person },
  { task: { task }, corpus, notes }: Read,
  onText: (text: string | null) => void,
): Promise<CorpusAnswer> {
  const { passages: total, documents, sources, left_out } = corpus
  const coverage = { read: notes.reduce((sum, { read }) => sum + read, 0), total }
  const readable = await readPassages(deps.db, by.person, {}, basisOf(notes.flatMap(({ lines }) => lines)))
  const lines = readableLines(notes, readable)
  const names = sources.slice(0, NAMED).map(({ name }) => name)
  const absent =
    documents === 0 ? sayNothing(by.language) : sayAbsent(by.language, { documents, names, ...left_out })
  if (lines.length === 0) {
    onText(absent)
    return { response: absent, is_answered: false, passages: [], doubts: [], coverage }
  }
  const { text: told, passages } = tellNotes(lines)
  const asked = { system: ANSWER_FROM_NOTES, user: `${task}\n\n${told}`, passages, absent }
  const { text: response, isAnswered, cited } = await askModel(deps, by, asked, onText)
  const used = cited.flatMap((id) => readable.get(id) ?? [])
  // An answer without citations is verified against every passage that was read for it.
  const basis = used.length > 0 ? used : [...readable.values()]
  const texts = new Map(basis.map(({ id, text }) => [id, text]))
  return {
    ...{ response, is_answered: isAnswered, coverage, passages: used.map(showCited) },
    // A text that belongs to no document has no passages to verify against.
    doubts:
      isAnswered && documents > 0
        ? await verifyCited(deps, { answer: response, passages: texts, ...by }, by)
        : [],
  }
}

function showCited(
  { id, document_id, document_name, heading_path, page_number, stands }: Passage,
  at: number,
): CorpusAnswer['passages'][number] {
  return {
    ...{ chunk_id: id, document_id, document_name, heading_path, page_number, place: stands },
    ...{ rank: at + 1, used_in_response: true },
  }
}
