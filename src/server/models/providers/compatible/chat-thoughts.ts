import type { ModelMessage, ModelPart, ReasoningPart } from '../../models/port.ts'
import type { Allowance } from '../../models/wire/allowance.ts'

/** One piece of `reasoning_details`, as OpenRouter sends it. */
export type ThoughtDetail = { type?: string; index?: number; text?: string; summary?: string; data?: string }

type AssistantContent = Extract<ModelMessage, { role: 'assistant' }>['content']

const field = 'chat:field'
const details = 'chat:details'

/** The thoughts of an answer that called tools, as the server gave them. */
export function writeThoughts(content: AssistantContent): Record<string, unknown> {
  const thoughts = content.filter((part): part is ReasoningPart => part.type === 'reasoning')
  const kept = thoughts.find((part) => part.metadata?.[details])?.metadata?.[details]
  if (kept) return { reasoning_details: kept }
  const isEchoed = thoughts.some((part) => part.metadata?.[field])
  return isEchoed ? { reasoning_content: thoughts.map((part) => part.text).join('') } : {}
}

/** Collects `reasoning_details`, which arrive in fragments, into what has to be sent back. */
export function createThoughtCollector(allowance: Allowance) {
  const collected: ThoughtDetail[] = []
  return {
    add(given: unknown): void {
      for (const fragment of [given].flat().filter(isDetail)) {
        for (const name of ['text', 'summary', 'data'] as const) allowance.keep(fragment[name]?.length ?? 0)
        allowance.keep(1)
        const last = collected.at(-1)
        const continues = last && last.type === fragment.type && last.index === fragment.index
        if (!continues) collected.push({ ...fragment })
        else Object.assign(last, withoutNulls(fragment), joinTexts(last, fragment))
      }
    },
    end: (): ModelPart[] =>
      collected.length > 0 ? [{ type: 'reasoning', text: '', metadata: { [details]: collected } }] : [],
  }
}

const isDetail = (value: unknown): value is ThoughtDetail => typeof value === 'object' && value !== null

function joinTexts(last: ThoughtDetail, next: ThoughtDetail): ThoughtDetail {
  const joined: ThoughtDetail = {}
  for (const name of ['text', 'summary', 'data'] as const)
    if (last[name] || next[name]) joined[name] = (last[name] ?? '') + (next[name] ?? '')
  return joined
}

function withoutNulls(fragment: ThoughtDetail): ThoughtDetail {
  return Object.fromEntries(Object.entries(fragment).filter(([, value]) => value != null))
}
