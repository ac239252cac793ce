import type { Language } from '#shared/platform/primitives.ts'
import type { Token } from '../words/tokens.ts'

/** One thing that was asked, and what is needed to answer it. */
export type Question = {
  text: string
  /** None when the text is too long for a question. */
  tokens: Token[]
  language: Language
  now: Date
  /** The person's time zone; null when it is not known. */
  zone: string | null
  /** What was answered before, which “it” may stand for. */
  before: { text: string; number: string | null } | null
}

export type Answer = {
  text: string
  /** What a later part goes on from. */
  number?: string
  /** A greeting: nothing is said of it where something was answered. */
  isCourtesy?: true
  /** A courtesy without its question, before another one. */
  short?: string
}

/** Something the built-in model can do by itself. The first skill of the table that gives an answer is taken. */
export type Skill = { name: string; answer: (question: Question) => Answer | null }
