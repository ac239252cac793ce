import * as z from 'zod/mini'
import { Id, label } from '../../platform/primitives.ts'

/** Maximum length of a fact in characters. */
export const MAX_FACT = 240
/** Maximum facts of a person, and of a project. */
export const MAX_FACTS = 500
/** Facts per page. */
export const FACTS_PAGE = 50
/** Maximum tokens of facts sent with a question. */
export const MAX_FACT_TOKENS = 400

/** Reasons why a text cannot be a fact. The first five are secrets. */
export const refusalReasons = ['key', 'password', 'card', 'iban', 'identity', 'sentences', 'length'] as const
export const RefusalReason = z.enum(refusalReasons)
export type RefusalReason = z.infer<typeof RefusalReason>

/** Returns whether the reason is a secret in the text. */
export const isSecret = (reason: RefusalReason): boolean => reason !== 'sentences' && reason !== 'length'

export const FactText = label(1, 1_000)

const Source = z.object({ session_id: Id, message_id: Id, title: z.string() })

/** A fact as a person sees it. */
export const Fact = z.object({
  id: Id,
  text: z.string(),
  /** The project whose members share it; null for a fact of the caller alone. */
  project: z.nullable(z.object({ id: Id, name: z.string() })),
  /** `proposed` facts wait for an answer and are not used. */
  state: z.enum(['kept', 'proposed']),
  origin: z.enum(['proposal', 'remember', 'manual']),
  /** The message it was learned from, while the caller may read it. */
  source: z.nullable(Source),
  /** The person who told it; null for the caller. */
  told_by: z.nullable(z.string()),
  learned_at: z.string(),
  used_at: z.nullable(z.string()),
  uses: z.int(),
  /** Earlier versions, newest first, at most 20. */
  history: z.array(z.object({ text: z.string(), learned_at: z.string(), replaced_at: z.string() })),
  /** For a proposal: the fact it would replace. */
  contradicts: z.nullable(z.object({ id: Id, text: z.string() })),
  can_change: z.boolean(),
})
export type Fact = z.infer<typeof Fact>
