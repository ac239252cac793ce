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

/** The icon of a tool, by words of its name. */
export function toolIcon(name: string): LucideIcon {
  return icons.find(([words]) => words.test(name))?.[1] ?? Wrench
}

/** What the state of a tool step is decided by. */
export function factsOf(block: ToolBlock): CardFacts {
  const input = readPayload(block.input)
  // Of a result that is kept elsewhere the card knows that there is one.
  const result = block.result_ref
    ? { value: block.result_ref.preview, isValid: true }
    : readPayload(block.result)
  const invalid = !input.isValid ? INVALID_INPUT : !result.isValid ? INVALID_RESULT : null
  const isOver = ['complete', 'failed', 'error'].includes(block.status)
  const hasFailed = block.status === 'failed' || block.status === 'error'
  return {
    isLoading: ['loading', 'processing', 'streaming'].includes(block.status),
    ...{ input: input.value, result: result.value },
    // Text that will never become JSON is shown as it is.
    error: (hasFailed ? block.error || NO_REASON : null) ?? (isOver ? null : invalid),
  }
}

/** A tool that failed without a reason; the card has a text for it. */
export const NO_REASON = 'No reason was given.'

/** Inputs in one line: the values of short ones, in order. */
export function summarise(input: unknown): string {
  if (input === null || input === undefined) return ''
  if (typeof input !== 'object') return String(input)
  return Object.values(input)
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(String)
    .join(', ')
}
