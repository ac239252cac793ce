import type { Language } from '#shared/platform/primitives.ts'
import { readEvidence, type ToldPassage } from '../evidence.ts'
import { readHandover } from '../handover.ts'
import type { ModelCall, ModelMessage, ToolResultPart } from '../port.ts'
import { readMemory, type ToldMemory } from '../told-memory.ts'
import { joinAnswers } from './join-answers.ts'
import { readInstruction } from './texts/instruction.ts'
import { findLanguage, isForeign } from './words/language.ts'

/** Characters read of a message. About 20 pages are enough for a useful summary and do not block other requests. */
export const mostRead = 50_000

export type Task = {
  text: string
  results: ToolResultPart[]
  language: Language
  /** True when the text is neither English nor French. */
  isForeign: boolean
  /** The user's time zone; null when it is unknown. */
  zone: string | null
  /** The previous answer, or the result of the previous step. */
  earlier: string
  /** True when only the beginning of the message was read. */
  isCut: boolean
  /** Passages of documents to answer from; null without documents. */
  passages: ToldPassage[] | null
  /** The request of the message to memory, or null. */
  memory: ToldMemory | null
  /** An answer that consists of earlier results; otherwise null. */
  given: string | null
}

/** Returns the newest message of the user, or the step of it to do, with the results of tools since then. */
export function readTask(call: ModelCall): Task {
  const start = call.messages.findLastIndex((message) => message.role === 'user')
  const { memory, message } = readMemory(call.messages[start])
  const evidence = readEvidence(textOf(message))
  const text = evidence?.asked ?? textOf(message)
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
    memory: memory && (memory.asksAboutMe || memory.remembered.length > 0) ? memory : null,
    given: handover && !step ? joinAnswers(known.map((result) => result.text)) : null,
  }
}

/** Browsers may name zones that this server does not have. */
function knownZone(name: string | undefined): string | null {
  if (name === undefined) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

export function textOf(message: ModelMessage | undefined): string {
  if (message?.role !== 'user' && message?.role !== 'assistant') return ''
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** A text may be in another language than the instruction. */
function languageOf(text: string): Language | null {
  const head = readInstruction(text, () => true)?.instruction ?? text
  return findLanguage(head) ?? findLanguage(text)
}
