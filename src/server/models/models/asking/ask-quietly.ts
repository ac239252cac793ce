import type { GivePart, ModelCall, Usage } from '../port.ts'
import type { Models } from '../registry.ts'
import { countMessages } from './count-messages.ts'
import { type Paying, streamOrStandIn } from './stand-in.ts'

type Question = Pick<ModelCall, 'messages' | 'output' | 'language' | 'caller'> & {
  model: string
  signal: AbortSignal
  /** Receives each piece of text as it arrives. */
  onText?: (text: string) => void
}

/**
 * Makes one model call whose text is not a reply. Calls `bill` once with the usage, estimated when the provider does not report it,
 * and with the model that answered. With `paying`, the model's fallback may answer instead.
 */
export async function askQuietly(
  kit: { models: Models },
  { model, signal, onText, ...question }: Question,
  bill: (usage: Usage, model: string) => void,
  paying?: Paying,
): Promise<string> {
  let text = ''
  let usage: Usage | null = null
  const call = { ...question, tools: [], tool_choice: 'none' as const }
  const take: GivePart = (part) => {
    if (part.type === 'usage') usage = part
    if (part.type === 'rethought') text = ''
    if (part.type !== 'text') return
    text += part.text
    onText?.(part.text)
  }
  const answered = await streamOrStandIn(kit, { model, call, signal }, take, paying)
  bill(usage ?? (await estimate(kit, answered, call, text)), answered)
  return text.trim()
}

async function estimate(
  kit: { models: Models },
  model: string,
  { messages }: Pick<ModelCall, 'messages'>,
  text: string,
): Promise<Usage> {
  const [input_tokens, output_tokens] = await Promise.all([
    countMessages(kit, model, messages),
    kit.models.countTokens(model, text),
  ])
  return { input_tokens, output_tokens, cached_tokens: 0, reasoning_tokens: 0, estimated: true }
}
