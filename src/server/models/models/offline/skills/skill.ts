import type { Language } from '#shared/platform/primitives.ts'
import type { Token } from '../words/tokens.ts'

/** One question, with the context to answer it. */
export type Question = {
  text: string
  /** Empty when the text is too long for a question. */
  tokens: Token[]
  language: Language
  now: Date
  /** The user's time zone; null when it is unknown. */
  zone: string | null
  /** The previous answer, to which “it” may refer. */
  before: { text: string; number: string | null } | null
}

export type Answer = {
  text: string
  /** The result that a later part builds on. */
  number?: string
  /** True for a courtesy, which is omitted when another part has an answer. */
  isCourtesy?: true
  /** A courtesy without its question, for use before another one. */
  short?: string
}

/** An ability of the built-in model. The first skill in the table that returns an answer is used. */
export type Skill = { name: string; answer: (question: Question) => Answer | null }
