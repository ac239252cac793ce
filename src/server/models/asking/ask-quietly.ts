import type { ModelCall, Usage } from '../port.ts'
import type { Models } from '../registry.ts'
import { countMessages } from './count-messages.ts'

type Question = Pick<ModelCall, 'messages' | 'output' | 'language'> & {
  model: string
  signal: AbortSignal
  /** Hears the text while it comes. */
  onText?: (text: string) => void
}

/** One model call whose text is no reply. `bill` is told once what it used; counted here when the provider does not say. */
export async function askQuietly(
  kit: { models: Models },
  { model, signal, onText, ...question }: Question,
  bill: (usage: Usage) => void,
): Promise<string> {
  let text = ''
  let isBilled = false
  const call = { ...question, tools: [], tool_choice: 'none' as const }
  await kit.models.stream(model, call, signal, (part) => {
    if (part.type === 'text') {
      text += part.text
      onText?.(part.text)
    }
    if (part.type !== 'usage') return
    bill(part)
    isBilled = true
  })
  if (!isBilled) bill(await estimate(kit, model, call, text))
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
