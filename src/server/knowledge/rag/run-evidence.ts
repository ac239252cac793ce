import { findCitations } from '#shared/platform/citations/citation-tags.ts'
import type { FoundPassage } from '#shared/platform/citations/passages.ts'
import type { ModelMessage } from '../../models/models/port.ts'
import { noteDocuments } from '../../platform/access/classes/classes.ts'
import { type RunContext, readPerson } from '../../runs/runs/runs.ts'
import { type Passage, readPassages } from '../search/search.ts'
import { briefMessages, readCitingResult } from './brief-messages.ts'
import { NAMED, type RagDeps } from './find-passages.ts'
import { type Gathered, gatherEvidence } from './gather-evidence.ts'
import { languageOfAnswer, sayAbsent } from './rag-texts.ts'

/** The messages of one model call with their passages, and what its answer is verified against. */
export type Briefing = {
  messages: ModelMessage[]
  /** Passage ids by number; null for a withdrawn passage. */
  passages: (string | null)[]
  /** Passages the user may read now, by id. */
  readable: ReadonlyMap<string, Passage>
  /** Passages that the message cited before this call, by number. */
  cited: readonly string[]
  /** Replaces the model's answer when the documents have none. */
  absent: string
}

/** The numbered passages of a run, the same in all its model calls: results of its own search and of its tools, and citations of its sub-runs. */
export type RunEvidence = {
  /** Numbers passages in messages. Call it outside of steps, so that a replay assigns the same numbers. */
  take(messages: readonly ModelMessage[]): void
  /** Returns null while there is nothing to cite. Call it inside a step: it reads again what the user may read. */
  brief(messages: ModelMessage[]): Promise<Briefing | null>
  /** Records the passages an answer cited, by number. */
  note(cited: readonly string[] | undefined): void
}

/** Gathers the evidence of a run whose chat has documents, once, in a step. */
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
      await noteDocuments(
        deps.db,
        [...readable.values()].map(({ document_id }) => document_id),
      )
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

/** Returns texts that may name passages: user messages, and results of tools that cite. */
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
