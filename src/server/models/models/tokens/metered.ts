import { PICTURE_TOKENS, picturesOf } from '../adapting/show-pictures.ts'
import type { GivePart, ModelCall, ModelPart, Usage } from '../port.ts'
import type { createCalibrations } from './calibration-store.ts'
import { familyFactor, type TokenCounter } from './counter.ts'

type Call = Omit<ModelCall, 'model'>

/** Shorter requests are mostly the provider's own wrapping, so they teach nothing. */
const charactersMin = 2000

/** Counts tokens for a model, estimates the usage that answers do not report, and learns from reported usage. */
export function createMeter(counter: TokenCounter, calibrations: ReturnType<typeof createCalibrations>) {
  const countTokens = async (modelId: string, text: string): Promise<number> => {
    const factor = (await calibrations.factorOf(modelId)) ?? familyFactor(modelId)
    return Math.ceil((await counter.count(text)) * factor)
  }

  const countCall = async (modelId: string, call: Call) => {
    const pictures = call.messages.reduce((sum, message) => sum + picturesOf(message).length, 0)
    return (await countTokens(modelId, textOf(call))) + pictures * PICTURE_TOKENS
  }

  const estimate = async (modelId: string, call: Call, answered: string): Promise<Usage> => {
    const [input_tokens, output_tokens] = await Promise.all([
      countCall(modelId, call),
      countTokens(modelId, answered),
    ])
    return { input_tokens, output_tokens, cached_tokens: 0, reasoning_tokens: 0, estimated: true }
  }

  const learn = async (modelId: string, call: Call, usage: Usage): Promise<void> => {
    if (usage.input_tokens === 0 || hasFiles(call) || !(await calibrations.isWanted(modelId))) return
    const text = textOf(call)
    if (text.length >= charactersMin)
      await calibrations.learn(modelId, usage.input_tokens, await counter.count(text))
  }

  return {
    countTokens,
    /** Counts the tokens that a call sends. */
    countCall,
    /** Adds an estimate, marked as one, where a provider reports no usage. */
    async withUsage(
      modelId: string,
      call: Call,
      answer: (give: GivePart) => Promise<void>,
      give: GivePart,
    ): Promise<void> {
      const seen: { usage: Usage | null; finish: ModelPart | null; isAdapted: boolean } = {
        ...{ usage: null, finish: null, isAdapted: false },
      }
      let answered = ''
      await answer((part) => {
        if (part.type === 'text' || part.type === 'reasoning') answered += part.text
        else if (part.type === 'usage') seen.usage = part
        if (part.type === 'adapted') seen.isAdapted = true
        if (part.type === 'finish') seen.finish = part
        else give(part)
      })
      const { usage, finish } = seen
      if (!usage) give({ type: 'usage', ...(await estimate(modelId, call, answered)) })
      if (finish) give(finish)
      // The answer is complete, so a failure to learn must not fail it.
      // An adapted request differs from this call, so its tokens say nothing about it.
      if (usage && !usage.estimated && !seen.isAdapted) learn(modelId, call, usage).catch(() => undefined)
    },
  }
}

/** Returns the texts of a call that cost tokens, without our own JSON. */
function textOf({ messages, tools }: Call): string {
  const texts = messages.flatMap((message) =>
    message.role === 'system'
      ? [message.content]
      : message.content.map((part) => {
          if (part.type === 'file') return ''
          if (part.type === 'tool-call') return `${part.name} ${part.input}`
          return part.type === 'tool-result' ? part.output : part.text
        }),
  )
  return [...texts, ...tools.map((tool) => JSON.stringify(tool))].join('\n')
}

const hasFiles = ({ messages }: Call) => messages.some((message) => picturesOf(message).length > 0)
