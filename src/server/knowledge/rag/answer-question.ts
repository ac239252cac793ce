import type { Doubt } from '#shared/platform/citations/doubts.ts'
import type { Language } from '#shared/platform/primitives.ts'
import type { ModelCall, Usage } from '../../models/models/port.ts'
import type { Principal } from '../../platform/access/access.ts'
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
  /** Ids of the passages that were found, the best first. */
  passages: readonly string[]
  looked: Looked
  language: Language
  model: string
  temperature?: number
  /** The model answers as JSON, for servers that are better at that than at prose. */
  asJson?: boolean
}

export type Answered = {
  /** With a citation tag for each cited passage. */
  text: string
  isAnswered: boolean
  /** Passages the model was given, in the order of the numbers it knew them by. */
  given: Numbered[]
  /** Their ids, in the order of the numbers they have in the answer. */
  cited: string[]
  doubts: Doubt[]
  /** What the model was asked; empty when it was not. */
  prompt: string
  usage: Usage | null
  /** The one that answered: the fallback may have stood in for the one that was asked. */
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
 * Answers a question from passages, each statement behind the number of its passage, and checks what was said against them. What the
 * principal may no longer see is neither told to the model nor cited. `onText` is told what is shown, while it is said.
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
