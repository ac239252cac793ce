import { findCitations } from '#shared/platform/citations/citation-tags.ts'
import type { FoundPassage } from '#shared/platform/citations/passages.ts'
import type { ModelMessage } from '../../models/models/port.ts'
import { type RunContext, readPerson } from '../../runs/runs/runs.ts'
import { type Passage, readPassages } from '../search/search.ts'
import { briefMessages, readCitingResult } from './brief-messages.ts'
import { NAMED, type RagDeps } from './find-passages.ts'
import { type Gathered, gatherEvidence } from './gather-evidence.ts'
import { languageOfAnswer, sayAbsent } from './rag-texts.ts'

/** What one model call is told of documents, and what its answer is held against. */
export type Briefing = {
  messages: ModelMessage[]
  /** Ids in the order of their numbers; null for a passage that was withdrawn. */
  passages: (string | null)[]
  /** Those the person may see now, by id. */
  readable: ReadonlyMap<string, Passage>
  /** Cited by the message before this call, in the order of their numbers. */
  cited: readonly string[]
  /** What is said in place of the model when the documents do not have it. */
  absent: string
}

/**
 * The passages a run knows, each under one number through all its model calls: what was found for its question, what its searches found,
 * and what its parts cite.
 */
export type RunEvidence = {
  /** Numbers what messages bring along. Outside of steps: a replay counts alike. */
  take(messages: readonly ModelMessage[]): void
  /** Null while there is nothing to cite. Inside of a step: reads again what the person may see. */
  brief(messages: ModelMessage[]): Promise<Briefing | null>
  /** Notes what an answer cited, in the order of its numbers. */
  note(cited: readonly string[] | undefined): void
}

/** Finds what a run answers from, where its chat has documents; once, as a step of its own. */
export async function createEvidence(
  run: RunContext,
  deps: RagDeps,
  messages: readonly ModelMessage[],
): Promise<RunEvidence> {
  const gathered: Gathered | null = run.input.library ? await gatherEvidence(run, deps, messages) : null
  const known: string[] = [...(gathered?.passages ?? [])]
  const names = new Set(gathered?.looked.names)
  let cited: readonly string[] = []
  const { model_name, language: spoken } = run.input
  const language = languageOfAnswer(model_name, lastQuestion(messages), spoken)
  const add = (id: string) => {
    if (!known.includes(id)) known.push(id)
  }
  return {
    take: (told) => {
      for (const { message, passages } of broughtBy(told)) {
        for (const { chunk_id } of findCitations(message)) add(chunk_id)
        for (const { chunk_id, rank, document_name } of passages) {
          if (rank !== null) add(chunk_id)
          names.add(document_name)
        }
      }
    },
    brief: async (told) => {
      if (known.length === 0 && !gathered) return null
      const person = await readPerson(deps, run.input)
      const readable = await readPassages(deps.db, person, {}, known)
      const looked = gathered?.looked ?? { documents: names.size, names: [...names].slice(0, NAMED) }
      return {
        messages: briefMessages(told, known, readable),
        passages: known.map((id) => (readable.has(id) ? id : null)),
        ...{ readable, cited, absent: sayAbsent(language, looked) },
      }
    },
    note: (more) => {
      if (more) cited = more
    },
  }
}

function lastQuestion(messages: readonly ModelMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user')
  if (last?.role !== 'user') return ''
  return last.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** Texts that may name passages: of people and of parts, and answers of tools that cite them. */
function broughtBy(messages: readonly ModelMessage[]): { message: string; passages: FoundPassage[] }[] {
  return messages.flatMap((message) => {
    if (message.role === 'user')
      return message.content.flatMap((part) =>
        part.type === 'text' ? [{ message: part.text, passages: [] }] : [],
      )
    if (message.role !== 'tool') return []
    return message.content.flatMap((part) => {
      const found = readCitingResult(part)
      return found ? [{ message: '', passages: found.passages }] : []
    })
  })
}
