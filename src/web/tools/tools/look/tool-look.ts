import { Calculator, Code, Database, Globe, type LucideIcon, Wrench } from 'lucide-react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import {
  type CardFacts,
  INVALID_INPUT,
  INVALID_RESULT,
  readPayload,
} from '../../../platform/lib/card-status.ts'

const icons: [RegExp, LucideIcon][] = [
  [/code|python|interpreter/i, Code],
  [/search|web/i, Globe],
  [/calculator|math/i, Calculator],
  [/knowledge|q&a|database/i, Database],
]

/** Returns an icon that matches words in the tool's name. */
export function toolIcon(name: string): LucideIcon {
  return icons.find(([words]) => words.test(name))?.[1] ?? Wrench
}

/** Returns the facts that determine the state of a tool step. */
export function factsOf(block: ToolBlock): CardFacts {
  const input = readPayload(block.input)
  // For a result stored elsewhere, the card only knows that it exists.
  const result = block.result_ref
    ? { value: block.result_ref.preview, isValid: true }
    : readPayload(block.result)
  const invalid = !input.isValid ? INVALID_INPUT : !result.isValid ? INVALID_RESULT : null
  const isOver = ['complete', 'failed', 'error'].includes(block.status)
  const hasFailed = block.status === 'failed' || block.status === 'error'
  return {
    isLoading: ['loading', 'processing', 'streaming'].includes(block.status),
    ...{ input: input.value, result: result.value },
    // Text that cannot be parsed as JSON is shown unchanged.
    error: (hasFailed ? block.error || NO_REASON : null) ?? (isOver ? null : invalid),
  }
}

/** Placeholder for a failure without a reason; the card translates it. */
export const NO_REASON = 'No reason was given.'

/** Summarises inputs on one line: short values, in order. */
export function summarise(input: unknown): string {
  if (input === null || input === undefined) return ''
  if (typeof input !== 'object') return String(input)
  return Object.values(input)
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(String)
    .join(', ')
}
