import type { Language } from '#shared/platform/primitives.ts'
import { readEvidence, type ToldPassage } from '../evidence.ts'
import { readHandover } from '../handover.ts'
import type { ModelCall, ModelMessage, ToolResultPart } from '../port.ts'
import { joinAnswers } from './join-answers.ts'
import { readInstruction } from './texts/instruction.ts'
import { findLanguage, isForeign } from './words/language.ts'

/** What is read of one message: a summary of 20 pages is worth having, and reading them holds nobody else up. */
export const mostRead = 50_000

export type Task = {
  text: string
  results: ToolResultPart[]
  language: Language
  /** Neither English nor French. */
  isForeign: boolean
  /** The person's time zone; null when it is not known. */
  zone: string | null
  /** What was said before it, or found by the step before it. */
  earlier: string
  /** The message was longer than what is read of it. */
  isCut: boolean
  /** Passages of documents to answer from; null where there are no documents. */
  passages: ToldPassage[] | null
  /** An answer that only has to be put together from what was found before. */
  given: string | null
}

/** The newest thing a person said, or the step of it that is to be done, and what the tools answered since. */
export function readTask(call: ModelCall): Task {
  const start = call.messages.findLastIndex((message) => message.role === 'user')
  const evidence = readEvidence(textOf(call.messages[start]))
  const text = evidence?.asked ?? textOf(call.messages[start])
  const results = call.messages
    .slice(start + 1)
    .flatMap((later) => (later.role === 'tool' ? later.content : []))
  const handover = readHandover(text)
  const { step, results: known = [] } = handover ?? {}
  const asked = step ? step.task : text
  const read = asked.slice(0, mostRead)
  return {
    ...{ text: read, results, isCut: asked.length > mostRead },
    language:
      languageOf(handover ? handover.asked : read) ??
      languageOf(read) ??
      findLanguage(handover ? '' : textOf(call.messages[start - 1])) ??
      call.language ??
      'en',
    isForeign: isForeign(read),
    zone: knownZone(call.asked?.time_zone),
    earlier: handover ? (known.at(-1)?.text ?? '') : textOf(call.messages[start - 1]).slice(-mostRead),
    passages: evidence?.passages ?? null,
    given: handover && !step ? joinAnswers(known.map((result) => result.text)) : null,
  }
}

/** Browsers name zones that this server may not have. */
function knownZone(name: string | undefined): string | null {
  if (name === undefined) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

function textOf(message: ModelMessage | undefined): string {
  if (message?.role !== 'user' && message?.role !== 'assistant') return ''
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** A text to work on may be in another language than what is to be done with it. */
function languageOf(text: string): Language | null {
  const head = readInstruction(text, () => true)?.instruction ?? text
  return findLanguage(head) ?? findLanguage(text)
}
