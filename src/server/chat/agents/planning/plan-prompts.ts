import { type Handover, writeHandover } from '../../../models/models/handover.ts'
import type { ModelMessage } from '../../../models/models/port.ts'

export const PLANNING = `You plan the work on the last message, and do none of it yet.
Answer with JSON alone: {"steps": [{"description": "…"}, …]}.
As few steps as possible, each one something that can be done with what is known by then; one step when the message can be answered at once. Do not plan a step that only writes the answer: that happens by itself.`

export const STEPPING = `The message is worked on step by step. Do the one step named in <step>, with what earlier steps found in <results>, and nothing of the steps after it.
Write down what you found, so that later steps can build on it. Do not repeat the question.`

export const ANSWERING = `The work on the message is done; <results> has what each step found. Write the answer to the message from these results alone, complete, without telling how it was found. Say what could not be done.`

export const DIVIDING = `You divide the work on the last message over assistants, and do none of it yourself.
Answer with JSON alone: {"steps": [{"description": "…", "assistant": "…", "after": []}, …]}.
As few parts as possible; parts that need nothing of each other are done at the same time, "after" names the parts whose results a part needs. Do not plan a part that only puts the answer together: that happens by itself.
The assistants:`

/** Returns the conversation with additional instructions and a handover after the question. */
export function continueConversation(
  conversation: ModelMessage[],
  instructions: string,
  handover: Handover | null = null,
  note = '',
): ModelMessage[] {
  const asked = conversation.findLastIndex(({ role }) => role === 'user')
  return conversation.map((message, at) => {
    if (message.role === 'system') return { ...message, content: `${message.content}\n\n${instructions}` }
    if (at !== asked || message.role !== 'user' || !handover) return message
    const text = [writeHandover(handover), note].filter(Boolean).join('\n\n')
    return { ...message, content: [...message.content, { type: 'text', text }] }
  })
}
