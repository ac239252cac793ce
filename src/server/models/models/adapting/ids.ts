import { createHash } from 'node:crypto'
import type { ModelMessage } from '../port.ts'

/** What a dialect takes as the id of a tool call. */
export type IdRule = 'any' | 'anthropic' | 'nine' | 'short'

const taken: Record<IdRule, RegExp> = {
  any: /^[\s\S]+$/,
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  nine: /^[a-zA-Z0-9]{9}$/,
  short: /^[\s\S]{1,64}$/,
}

/** The rule of a provider, from its kind and, for compatible servers, the family of the model. */
export function idRuleOf(kind: string, address: string, model: string): IdRule {
  if (/anthropic|bedrock/.test(kind)) return 'anthropic'
  if (/mistral|ministral|mixtral|codestral|devstral|magistral|pixtral/i.test(`${address} ${model}`))
    return 'nine'
  return kind === 'openai' || kind === 'azure' ? 'short' : 'any'
}

/**
 * Messages whose tool calls have ids the dialect takes, each once in the conversation; a result keeps the id of its call.
 * The same conversation always gets the same ids, which keeps prompt caches valid.
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
