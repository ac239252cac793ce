import { createHash } from 'node:crypto'
import type { ModelMessage } from '../port.ts'
import type { IdRule } from '../provider/provider.ts'
import { callRulesOf } from '../provider/providers.ts'

const taken: Record<IdRule, RegExp> = {
  any: /^[\s\S]+$/,
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  nine: /^[a-zA-Z0-9]{9}$/,
  short: /^[\s\S]{1,64}$/,
}

/** Returns the id rule of a provider, by its kind and the family of the model. */
export function idRuleOf(kind: string, address: string, model: string): IdRule {
  const { ids } = callRulesOf(kind)
  if (ids === 'anthropic') return ids
  if (/mistral|ministral|mixtral|codestral|devstral|magistral|pixtral/i.test(`${address} ${model}`))
    return 'nine'
  return ids
}

/**
 * Rewrites the ids of tool calls to unique ids that the dialect accepts. A result keeps the id of its call. The same
 * conversation always gets the same ids, which keeps prompt caches valid.
 */
export function fitIds(messages: ModelMessage[], rule: IdRule): ModelMessage[] {
  const used = new Set<string>()
  const newest = new Map<string, string>()
  return messages.map((message) => {
    if (message.role === 'tool')
      return {
        ...message,
        content: message.content.map((part) => ({
          ...part,
          id: newest.get(part.id) ?? write(part.id, rule, 0),
        })),
      }
    if (message.role !== 'assistant') return message
    const content = message.content.map((part) => {
      if (part.type !== 'tool-call') return part
      let id = write(part.id, rule, 0)
      for (let round = 1; used.has(id); round++) id = write(part.id, rule, round)
      used.add(id)
      newest.set(part.id, id)
      return { ...part, id }
    })
    return { ...message, content }
  })
}

function write(id: string, rule: IdRule, round: number): string {
  if (round === 0 && taken[rule].test(id)) return id
  const hash = createHash('sha256').update(`${id}#${round}`).digest('hex')
  return rule === 'nine' ? hash.slice(0, 9) : `call_${hash.slice(0, 24)}`
}
