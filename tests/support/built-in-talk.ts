import { createOfflineModel } from '../../src/server/models/models/offline/offline.ts'
import type { ModelCall, ModelMessage, ModelPart } from '../../src/server/models/models/port.ts'
import type { Language } from '../../src/shared/platform/primitives.ts'
import calculator from '../../src/tools/calculator/contract.ts'
import run from '../../src/tools/calculator/run.ts'
import { aToolContext } from './tool-context.ts'

/** A Sunday afternoon. */
export const NOW = new Date('2026-11-22T14:05:00Z')

type Options = { language?: Language; withTools?: boolean; earlier?: string; zone?: string }

/** Returns the built-in model's final answer, with the real calculator or without tools, and its number of calls. */
export async function talk(text: string, { language = 'en', withTools = true, earlier, zone }: Options = {}) {
  const before: ModelMessage[] = earlier
    ? [
        { role: 'user', content: [{ type: 'text', text: '…' }] },
        { role: 'assistant', content: [{ type: 'text', text: earlier }] },
      ]
    : []
  const messages: ModelMessage[] = [...before, { role: 'user', content: [{ type: 'text', text }] }]
  const model = createOfflineModel({ now: () => NOW })
  const tools = [{ name: 'calculator', description: '', input_schema: {} }]
  for (let calls = 0; calls < 50; calls++) {
    const tool_choice = withTools ? 'auto' : 'none'
    const call: ModelCall = {
      model: 'offline',
      messages,
      tools,
      tool_choice,
      language,
      ...(zone && { asked: { at: NOW.toISOString(), time_zone: zone } }),
    }
    const parts: ModelPart[] = []
    await model(call, new AbortController().signal, (part) => parts.push(part))
    const called = parts.find((part) => part.type === 'tool-call')
    if (!called)
      return { calls, text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('') }
    const { id, name } = called
    const answered = await calculate(called.input)
    messages.push({ role: 'assistant', content: [called] })
    messages.push({ role: 'tool', content: [{ type: 'tool-result', id, name, ...answered }] })
  }
  throw new Error('The built-in model did not stop calling tools.')
}

async function calculate(input: string): Promise<{ output: string; is_error: boolean }> {
  try {
    const result = await run(calculator.input.parse(JSON.parse(input)), aToolContext())
    return { output: JSON.stringify(result), is_error: false }
  } catch (error) {
    return { output: `Error: ${(error as Error).message}`, is_error: true }
  }
}
