import type { Fallback } from '#shared/runs/runs/blocks.ts'
import type { ModelMessage, ReasoningPart, TextPart, ToolCallPart } from '../../../models/models/port.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'

/** An answer, and the fallback if another model gave it. */
type Reply = { content: (TextPart | ReasoningPart | ToolCallPart)[]; fallback?: Fallback }

/** Tracks which model a run uses and which messages come from it. */
export type Voices = {
  /** The model for the next call. A fallback stays in use for the rest of the run. */
  readonly model: string
  /** Records which model gave a reply. */
  note: (reply: Reply) => void
  /** Returns the messages for this model, without thoughts and signatures of other models. */
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
