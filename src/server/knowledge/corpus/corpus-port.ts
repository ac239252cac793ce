import type { CorpusPort } from '#shared/knowledge/corpus/corpus-port.ts'
import { type RunContext, readPerson } from '../../runs/runs/runs.ts'
import { modelOf, type PayingStep, payInStep, type RagDeps } from '../rag/rag.ts'
import { answerFromNotes } from './answer-from-notes.ts'
import { fixCorpus } from './fix-corpus.ts'
import { joinNotes, notePiece } from './note-piece.ts'
import { groupNotes } from './notes.ts'

/** Creates the corpus port of a run's tools; `paying` returns the step that pays for a call. */
export function createCorpusPort(
  deps: RagDeps,
  run: Pick<RunContext, 'input'>,
  signal: AbortSignal,
  paying: () => PayingStep | null,
): CorpusPort {
  const { input } = run
  const { language } = input
  const nameModel = async () => input.model_name || (await modelOf(deps, input))
  /** Returns what a model call needs: the payer of the current step, and the person with their current rights. */
  const begin = async () => {
    const leaf = paying()
    const [person, model] = await Promise.all([readPerson(deps, input), nameModel()])
    const payer = payInStep(deps, input.user_id, () => leaf, 'documents')
    return { person, model, language, signal, payer }
  }
  return {
    fix: async (wish) => {
      const { person, model } = await begin()
      return fixCorpus(deps, { person, run, model, language }, wish)
    },
    note: async (task, piece) => notePiece(deps, await begin(), task, piece),
    group: groupNotes,
    join: async (task, notes) => joinNotes(deps, await begin(), task, notes),
    answer: async (task, corpus, notes, onText) =>
      answerFromNotes(deps, await begin(), { task, corpus, notes }, onText),
  }
}
