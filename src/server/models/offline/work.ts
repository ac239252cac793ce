import type { ModelTool, ToolResultPart } from '../port.ts'
import { continueFrom } from './arithmetic.ts'
import { type Intent, isSummaryWanted, nextIntent, splitTask } from './intents.ts'
import { readResult } from './results.ts'

/** One part of what a person asked, with the results of its calls; without any it was not done. */
export type Part = { asked: string; text: string; results: ToolResultPart[] }
export type Work = { parts: Part[]; next: Intent | null }

/**
 * How far a task is, part by part: results are those of its calls in their order, and a part that follows another
 * goes on from what that one calculated. Nothing is called after a failure.
 */
export function workThrough(text: string, tools: ModelTool[], results: ToolResultPart[]): Work {
  const left = [...results]
  const parts: Part[] = []
  let next: Intent | null = null
  let hasFailed = false
  for (const { description: asked, follows } of partsOf(text)) {
    const before = parts.at(-1)?.results ?? []
    const part: Part = { asked, text: follows ? continueFrom(asked, numberOf(before)) : asked, results: [] }
    parts.push(part)
    while (!next && !hasFailed) {
      const intent = nextIntent(part.text, tools, part.results.map(readResult))
      if (!intent) break
      const result = left.shift()
      if (!result) next = intent
      else part.results.push(result)
      hasFailed = result?.is_error ?? false
    }
  }
  const isTold = next !== null || (left.length === 0 && results.length > 0)
  // Nothing was recognised, or a person chose the tool: then what was said is one thing.
  return isTold ? { parts, next } : { parts: [{ asked: text, text, results }], next }
}

/** Code and texts that are to be summarised are left whole. */
function partsOf(text: string) {
  if (text.includes('```') || isSummaryWanted(text)) return [{ description: text, follows: false }]
  return splitTask(text)
}

/** What was calculated last, or nothing to go on from. */
function numberOf(results: ToolResultPart[]): string {
  const last = results.at(-1)
  const value = last?.name === 'calculator' && !last.is_error ? readResult(last) : ''
  return /^-?\d+(\.\d+)?$/.test(value) ? value : ''
}
