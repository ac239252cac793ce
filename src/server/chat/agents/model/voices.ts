import type { Fallback } from '#shared/runs/runs/blocks.ts'
import type { ModelMessage, ReasoningPart, TextPart, ToolCallPart } from '../../../models/models/port.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'

/** What was answered, and by whom when it was another model than the one that was asked. */
type Reply = { content: (TextPart | ReasoningPart | ToolCallPart)[]; fallback?: Fallback }

/** Whose words a run goes on with. */
export type Voices = {
  /** The model that is asked next: once another one stood in, it stays for the rest of the run. */
  readonly model: string
  /** Hears who gave a reply. */
  note: (reply: Reply) => void
  /** The messages as this model may be told them: thoughts and signatures of another one are none of its own. */
  tellTo: (model: string, messages: ModelMessage[]) => ModelMessage[]
}

export function createVoices({ input }: Pick<RunContext, 'input'>): Voices {
  const writers = new WeakMap<object, string>()
  let current = input.model_name
  let hasChanged = false
  return {
    get model() {
      return current
    },
    note: ({ content, fallback }) => {
      hasChanged ||= fallback !== undefined
      current = fallback?.answered.id ?? current
      for (const part of content) writers.set(part, current)
    },
    tellTo: (model, messages) => {
      if (!hasChanged && model === current) return messages
      return messages.map((message) => {
        if (message.role !== 'assistant') return message
        const content = message.content.flatMap((part): typeof message.content => {
          if (writers.get(part) === model || part.type === 'text') return [part]
          if (part.type === 'reasoning') return []
          const { metadata: _, ...call } = part
          return [call]
        })
        return { ...message, content }
      })
    },
  }
}
