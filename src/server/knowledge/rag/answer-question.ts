import type { Doubt } from '#shared/platform/citations/doubts.ts'
import type { Language } from '#shared/platform/primitives.ts'
import type { ModelCall, Usage } from '../../models/models/port.ts'
import type { Principal } from '../../platform/access/access.ts'
import { noteDocuments } from '../../platform/access/classes/classes.ts'
import { readPassages } from '../search/search.ts'
import { citeAnswer } from './cite-answer.ts'
import type { RagDeps } from './find-passages.ts'
import { listen, type Ways } from './listen.ts'
import { ANSWER_FROM_DOCUMENTS } from './rag-prompts.ts'
import { type Looked, languageOfAnswer, sayAbsent } from './rag-texts.ts'
import { type Numbered, tellPassages } from './tell-passages.ts'
import { verifyCited } from './verify/verify-cited.ts'

export type Asked = {
  question: string
  /** Ids of the found passages, best first. */
  passages: readonly string[]
  looked: Looked
  language: Language
  model: string
  temperature?: number
  /** Requests the answer as JSON, for models that are better at JSON than at prose. */
  asJson?: boolean
}

export type Answered = {
  /** Answer with a citation tag for each cited passage. */
  text: string
  isAnswered: boolean
  /** The passages in the prompt, by number. */
  given: Numbered[]
  /** Ids of the cited passages, by their numbers in the answer. */
  cited: string[]
  doubts: Doubt[]
  /** The prompt; empty when no model was called. */
  prompt: string
  usage: Usage | null
  /** The model that answered; it may be the fallback. */
  model: string
}

const JSON_ANSWER: NonNullable<ModelCall['output']> = {
  name: 'answer',
  schema: {
    type: 'object',
    properties: { answer: { type: 'string' } },
    required: ['answer'],
    additionalProperties: false,
  },
}

/**
 * Answers a question from passages with citations, and verifies the answer against them. Passages that the principal may no longer read are
 * neither sent to the model nor cited. `onText` receives the shown text as it is generated.
 * @throws AppError, ModelError
 */
export async function answerQuestion(
  deps: RagDeps,
  principal: Principal,
  asked: Asked,
  { signal, payer, onText }: Ways,
): Promise<Answered> {
  const { language, looked, model, question } = asked
  const readable = await readPassages(deps.db, principal, {}, asked.passages)
  const given = asked.passages
    .flatMap((id) => readable.get(id) ?? [])
    .map((passage, at): Numbered => ({ number: at + 1, passage }))
  const absent = sayAbsent(languageOfAnswer(model, question, language), looked)
  if (given.length === 0) {
    onText?.(absent)
    return { text: absent, isAnswered: false, given, cited: [], doubts: [], prompt: '', usage: null, model }
  }
  await noteDocuments(
    deps.db,
    given.map(({ passage }) => passage.document_id),
  )
  const call = writeCall(asked, given)
  await payer.reserve(model, call)
  const cited = citeAnswer({ passages: given.map(({ passage }) => passage.id), absent })
  const { text, usage, model: answering } = await listen(deps, model, call, cited, { signal, payer, onText })
  const passages = new Map(given.map(({ passage }) => [passage.id, passage.text]))
  const doubts = cited.isAnswered()
    ? await verifyCited(deps, { answer: text, passages, model: answering, language }, { signal, payer })
    : []
  return {
    ...{ text, isAnswered: cited.isAnswered(), given, cited: cited.cited(), usage },
    ...{ model: answering, doubts },
    prompt: [ANSWER_FROM_DOCUMENTS, writeQuestion(question, given)].join('\n\n'),
  }
}

const writeQuestion = (question: string, given: readonly Numbered[]) =>
  `${question}\n\n${tellPassages(given)}`

function writeCall({ question, asJson, temperature, language }: Asked, given: readonly Numbered[]) {
  return {
    messages: [
      { role: 'system', content: ANSWER_FROM_DOCUMENTS },
      { role: 'user', content: [{ type: 'text', text: writeQuestion(question, given) }] },
    ],
    ...{ tools: [], tool_choice: 'none', language },
    ...(temperature === undefined ? {} : { temperature }),
    ...(asJson ? { output: JSON_ANSWER } : {}),
  } satisfies Omit<ModelCall, 'model'>
}
