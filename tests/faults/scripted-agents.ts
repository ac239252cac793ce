import { calls, type ModelRequest, type Move, says, thinks } from '../support/model-server.ts'

/** An agent type, a request, the chosen tool, and the letter it sends. */
export type Scenario = { agent_type: string; content: string; tool_choice?: string; letter: string }

export const scenarios: Scenario[] = [
  { agent_type: 'single_turn', content: 'Send the letter', tool_choice: 'send_letter', letter: 'Dear Ada' },
  { agent_type: 'multi_turn', content: 'Compute and send', letter: 'Dear Bea' },
  { agent_type: 'plan_and_act', content: 'Plan the letter', letter: 'Dear Cleo' },
  { agent_type: 'orchestrator', content: 'Divide the letter', letter: 'Dear Dora' },
]

const words = (name: string, count = 12) => says(...Array.from({ length: count }, (_, i) => `${name}${i} `))
const calculate = calls('calculator', { a: 21, b: 2, operation: 'multiply' })
const send = (letter: string) => calls('send_letter', { text: letter })
const question = { prompt: 'Which day?', input_types: ['text'] }
const data = (value: unknown) => [says(JSON.stringify(value))]

/** The model of all scenarios. Its answer depends only on the request, so a repeat is identical. */
export function answerScenario(request: ModelRequest): Move[] {
  const newest = request.messages.findLastIndex(({ role }) => role === 'user')
  const asked = JSON.stringify(request.messages[newest]?.content)
  const step = Number(/.*<step number=\\?"(\d+)/.exec(asked)?.[1] ?? 0)
  // Calls of earlier replies are part of the history too.
  const results = request.messages.slice(newest).filter(({ role }) => role === 'tool').length
  const isAnswered = asked.includes('Friday')
  if (asked.includes('Send the letter')) return results > 0 ? [words('sent')] : [send('Dear Ada')]
  if (asked.includes('Compute and send'))
    return results > 0
      ? [words('both')]
      : [thinks('Let ', 'me ', 'see.'), words('before', 6), calculate, send('Dear Bea')]
  if (asked.includes('Plan the letter')) return answerPlan(request, step, results, isAnswered)
  return answerDivided(request, asked, step, results, isAnswered)
}

function answerPlan(request: ModelRequest, step: number, results: number, isAnswered: boolean): Move[] {
  if (request.response_format)
    return data({ steps: ['Compute', { description: 'Send', question }, 'Confirm'] })
  if (step === 1) return results > 0 ? [words('computed', 6)] : [calculate]
  if (step === 2) return results > 0 ? [words('sent', 6)] : [thinks('Now '), send('Dear Cleo')]
  if (step === 3) return [words(isAnswered ? 'friday' : 'nothing', 6)]
  return [words('answer')]
}

const parts = [
  { description: 'Compute', assistant: 'Analyst' },
  { description: 'Send', assistant: 'General assistant' },
  { description: 'Find a day', assistant: 'Researcher' },
  { description: 'Confirm', assistant: 'Analyst', after: [1, 3] },
]

function answerDivided(
  request: ModelRequest,
  asked: string,
  step: number,
  results: number,
  isAnswered: boolean,
): Move[] {
  if (!asked.includes('You do one part')) {
    return request.response_format ? data({ steps: parts }) : [words('together')]
  }
  if (/>Find a day</.test(asked)) {
    if (request.response_format) return data({ steps: ['Find a day'] })
    return isAnswered ? [words('day', 6)] : [calls('ask_person', question)]
  }
  if (step === 1) return results > 0 ? [words('computed', 6)] : [calculate]
  if (step === 2) return results > 0 ? [words('sent', 6)] : [send('Dear Dora')]
  return [words('confirmed', 6)]
}
