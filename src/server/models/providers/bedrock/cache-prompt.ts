import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'

/** Model families that accept cache points; others reject the request. */
const CACHING =
  /claude-(?:3-7|3-5-haiku|(?:opus|sonnet|haiku|fable)-[4-9]|[4-9])|nova-(?:micro|lite|pro|premier|2)/
const cached = { providerOptions: { amazonBedrock: { cachePoint: { type: 'default' } } } }

/** Marks the prefix that the next request of a conversation repeats; cached tokens cost less. */
export function cachePrompt(model: LanguageModelV4): LanguageModelV4 {
  if (!CACHING.test(model.modelId)) return model
  return new Proxy(model, {
    get: (target, name) => {
      if (name === 'doStream') return (options: LanguageModelV4CallOptions) => target.doStream(mark(options))
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Writing to the cache costs extra, so only prefixes that will be sent again are written. */
function mark(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { prompt, tools = [] } = options
  const isConversation = tools.length > 0 || prompt.some(({ role }) => role === 'assistant')
  if (!isConversation) return options
  const ends = [prompt.findLastIndex(({ role }) => role === 'system'), prompt.length - 1]
  return {
    ...options,
    prompt: prompt.map((message, at) => (ends.includes(at) ? { ...message, ...cached } : message)),
  }
}
