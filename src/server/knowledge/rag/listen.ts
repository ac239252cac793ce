import type { ModelDeps } from '../../models/model-deps.ts'
import { countMessages } from '../../models/models/asking/count-messages.ts'
import { findJson } from '../../models/models/asking/find-json.ts'
import { type Paying, streamOrStandIn } from '../../models/models/asking/stand-in.ts'
import type { GivePart, ModelCall, Usage } from '../../models/models/port.ts'
import type { CitedAnswer } from './cite-answer.ts'

/** Pays for a model call: reserves before it, and is billed once for its usage and the model that answered. */
export type Payer = Paying & { bill: (usage: Usage, model: string) => void }

export type Ways = { signal: AbortSignal; payer: Payer; onText?: ((text: string) => void) | undefined }

/** Asks a model and streams its output as a cited answer; JSON answers are shown when complete. @throws ModelError */
export async function listen(
  deps: Pick<ModelDeps, 'models'>,
  model: string,
  call: Omit<ModelCall, 'model'>,
  cited: CitedAnswer,
  { signal, payer, onText }: Ways,
): Promise<{ text: string; usage: Usage; model: string }> {
  let said = ''
  let text = ''
  let usage: Usage | null = null
  const show = (more: string) => {
    if (more === '') return
    text += more
    onText?.(more)
  }
  const take: GivePart = (part) => {
    if (part.type === 'usage') usage = part
    if (part.type !== 'text') return
    said += part.text
    if (!call.output) show(cited.push(part.text))
  }
  const answered = await streamOrStandIn(deps, { model, call, signal }, take, payer)
  if (call.output) show(cited.push(readJsonAnswer(said)))
  show(cited.end())
  const used: Usage = usage ?? (await estimate(deps, answered, call, said))
  payer.bill(used, answered)
  return { text: text.trim(), usage: used, model: answered }
}

/** Returns the answer field; output that is not JSON is the answer itself. */
function readJsonAnswer(said: string): string {
  const value = findJson(said)
  if (typeof value !== 'object' || value === null || !('answer' in value)) return said
  return typeof value.answer === 'string' ? value.answer : JSON.stringify(value.answer)
}

async function estimate(
  { models }: Pick<ModelDeps, 'models'>,
  model: string,
  { messages }: Pick<ModelCall, 'messages'>,
  said: string,
): Promise<Usage> {
  const [input_tokens, output_tokens] = await Promise.all([
    countMessages({ models }, model, messages),
    models.countTokens(model, said),
  ])
  return { input_tokens, output_tokens, cached_tokens: 0, reasoning_tokens: 0, estimated: true }
}
