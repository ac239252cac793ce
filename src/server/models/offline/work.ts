import type { ModelTool, ToolResultPart } from '../port.ts'
import { continueFrom } from './arithmetic.ts'
import { type Intent, isSummaryWanted, planIntents, splitTask } from './intents.ts'
import { readResult } from './results.ts'

/** One part of what a person asked, with the results of its calls; without any it was not done. */
export type Part = { asked: string; text: string; results: ToolResultPart[] }
export type Work = { parts: Part[]; next: Intent | null }

/**
 * How far a task is, part by part: results are those of its calls in their order, and a part that follows another
 * goes on from what that one calculated. Nothing is called after a failure.
 */
export function workThrough(text: string, tools: ModelTool[], results: ToolResultPart[]): Work {
  let used = 0
  const parts: Part[] = []
  let next: Intent | null = null
  let hasFailed = false
  for (const { description: asked, follows } of partsOf(text)) {
    const before = parts.at(-1)?.results ?? []
    const part: Part = { asked, text: follows ? continueFrom(asked, numberOf(before)) : asked, results: [] }
    parts.push(part)
    if (next || hasFailed) continue
    next = goOn(part, tools, results.slice(used))
    used += part.results.length
    hasFailed = part.results.at(-1)?.is_error ?? false
  }
  const isTold = next !== null || (used === results.length && results.length > 0)
  // Nothing was recognised, or a person chose the tool: then what was said is one thing.
  return isTold ? { parts, next } : { parts: [{ asked: text, text, results }], next }
}

/** Gives a part its results of those that are left, and the call that comes next. */
function goOn(part: Part, tools: ModelTool[], left: ToolResultPart[]): Intent | null {
  const nextOf = planIntents(part.text, tools)
  const values: string[] = []
  for (const result of left) {
    if (!nextOf(values)) return null
    part.results.push(result)
    if (result.is_error) return null
    values.push(readResult(result))
  }
  return nextOf(values)
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
