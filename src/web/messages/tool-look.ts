import { Calculator, Code, Database, Globe, type LucideIcon, Wrench } from 'lucide-react'
import type { ToolBlock } from '#shared/runs/blocks.ts'
import type { Tone } from '../ui/badge.tsx'

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

/** A tool's name as people read it. */
export function toolName(name: string): string {
  const words = name.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export type ToolState = 'waiting' | 'running' | 'done' | 'failed'

/** The four states a tool step shows. */
export function toolState({ status }: Pick<ToolBlock, 'status'>): ToolState {
  if (status === 'complete') return 'done'
  if (status === 'failed' || status === 'error') return 'failed'
  return status === 'pending' ? 'waiting' : 'running'
}

export const stateTone: Record<ToolState, Tone> = {
  waiting: 'neutral',
  running: 'accent',
  done: 'success',
  failed: 'danger',
}

const signs: Record<string, string> = { add: '+', subtract: '−', multiply: '×', divide: '÷' }

export type Calculation = { left: string; sign: string; right: string }

/** The inputs of a calculation, as they are written; null when these are not the inputs of one. */
export function readCalculation(input: unknown, write: (value: number) => string): Calculation | null {
  if (typeof input !== 'object' || input === null) return null
  const { a, b, operation } = input as Record<string, unknown>
  const sign = typeof operation === 'string' ? signs[operation] : undefined
  const left = Number(a)
  const right = Number(b)
  if (!sign || a === undefined || b === undefined || !Number.isFinite(left) || !Number.isFinite(right))
    return null
  return { left: write(left), sign, right: write(right) }
}

/** The number a calculation came to, wherever the tool put it; null when there is none. */
export function readResult(result: unknown): number | null {
  const value = typeof result === 'object' && result !== null && 'result' in result ? result.result : result
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Inputs in one line: the values of short ones, in order. */
export function summarise(input: unknown): string {
  if (input === null || input === undefined) return ''
  if (typeof input !== 'object') return String(input)
  return Object.values(input)
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(String)
    .join(', ')
}
