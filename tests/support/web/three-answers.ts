import type { Fork } from '#shared/chat/messages/messages.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { aBranch, aMessage } from './message-builder.ts'

/** A question, three answers to it, and the turn after the first answer. */
export const question = aMessage({ content: 'Which one?' })
export const answer = (content: string) => aMessage({ role: 'assistant', parent_id: question.id, content })
export const [first, second, third] = [answer('Kessler'), answer('Dalkorne'), answer('Thermalis')]
export const more = aMessage({ parent_id: first.id, content: 'Why?' })
const reason = aMessage({ role: 'assistant', parent_id: more.id, content: 'Because.' })
export const alternatives = [first, second, third]

const fork = (message: Message): Fork => ({
  ...{ message_id: message.id, position: alternatives.indexOf(message) + 1, count: 3 },
  ...{ later: message === first ? 0 : 2, later_id: message === first ? second.id : first.id },
})
const pathOf = (message: Message) => [question, message, ...(message === first ? [more, reason] : [])]
export const page = (message: Message) =>
  aBranch(pathOf(message), {
    ...{ forks: [fork(message)], branch_number: alternatives.indexOf(message) + 1, branch_count: 3 },
  })
export const options = [first, second, third].map(({ id }) => ({
  ...{ id: id === first.id ? reason.id : id, message_id: id, created_at: '2026-01-01T00:00:00.000Z' },
}))

export function aModel(id: string) {
  return {
    ...{ id, name: id.split('/')[1], provider: 'openai', provider_name: 'OpenAI', local: false },
    ...{ context_tokens: null, input_price: null, output_price: null, is_default: false },
  }
}
