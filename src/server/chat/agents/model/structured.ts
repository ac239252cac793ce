import { AppError } from '#shared/platform/errors.ts'
import type { RunEventBody } from '#shared/runs/runs/events.ts'
import { findJson } from '../../../models/models/asking/find-json.ts'
import type { ModelCall, ModelMessage } from '../../../models/models/port.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'
import { textOf } from './call-model.ts'
import type { ModelCaller } from './model-calls.ts'

type Question<T> = {
  messages: ModelMessage[]
  output: NonNullable<ModelCall['output']>
  /** Parses the model's JSON. Returns an error message when it does not fit. */
  read: (value: unknown) => T | string
  notes?: RunEventBody[]
  /** Taken when the model cannot give data at all, as small ones cannot. */
  otherwise?: T
}

/**
 * Asks a model for data. An unreadable answer goes back to it once with the reason; then `otherwise` is
 * taken, or the run ends with a sentence.
 * @throws AppError `provider_failed`
 */
export async function askForData<T extends object>(
  run: RunContext,
  model: ModelCaller,
  { messages, output, read, notes, otherwise }: Question<T>,
): Promise<T> {
  const first = await model.call(run, { messages, tool_choice: 'none', output, notes })
  const answer = readAnswer(textOf(first), read)
  if (typeof answer !== 'string') return answer
  const repair = `This cannot be used: ${answer} Answer again with the JSON alone, of this schema:\n${JSON.stringify(output.schema)}`
  const second = await model.call(run, {
    messages: [
      ...messages,
      { role: 'assistant', content: [{ type: 'text', text: textOf(first) || '(nothing)' }] },
      { role: 'user', content: [{ type: 'text', text: repair }] },
    ],
    ...{ tool_choice: 'none', output },
  })
  const repaired = readAnswer(textOf(second), read)
  if (typeof repaired !== 'string') return repaired
  if (otherwise !== undefined) return otherwise
  throw new AppError(
    'provider_failed',
    `The model did not give a ${output.name} that can be used. Try again or choose another model.`,
  )
}

function readAnswer<T extends object>(text: string, read: (value: unknown) => T | string): T | string {
  const value = findJson(text)
  return value === undefined ? 'It is not JSON.' : read(value)
}
