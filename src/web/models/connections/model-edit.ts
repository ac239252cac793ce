import type { ConnectionModel } from '#shared/models/connections/connections.ts'
import { parseDecimal } from '../../platform/lib/money.ts'

/** The three numbers of a model, as typed. An empty price means unpriced. */
export type ModelDraft = Record<ModelField, string> & {
  /** Id of the fallback model; empty for none. */
  fallback: string
}
export type ModelField = 'context' | 'input' | 'output'

export type ModelChange = {
  offered?: boolean
  input_price?: number | null
  output_price?: number | null
  context_tokens?: number | null
  fallback?: string | null
}

/** Returns the draft of a model. Prices are in dollars per million tokens. */
export function modelDraftOf(model: ConnectionModel): ModelDraft {
  const shown = (value: number | null) => (value === null ? '' : String(value))
  return {
    context: shown(model.context_tokens),
    input: shown(model.input_price),
    output: shown(model.output_price),
    fallback: model.fallback ?? '',
  }
}

/** Returns the invalid fields: not a number, negative, or a fractional number of tokens. */
export function wrongFields(draft: ModelDraft): ModelField[] {
  const isPrice = (typed: string) => typed.trim() === '' || (parseDecimal(typed) ?? -1) >= 0
  const tokens = parseDecimal(draft.context.replace(/[\s,.](?=\d{3}\b)/g, ''))
  const isContext = draft.context.trim() === '' || (tokens !== null && Number.isInteger(tokens) && tokens > 0)
  const wrong: ModelField[] = []
  if (!isContext) wrong.push('context')
  if (!isPrice(draft.input)) wrong.push('input')
  if (!isPrice(draft.output)) wrong.push('output')
  return wrong
}

/** Builds the change for a valid draft. Empty fields are unknown, never 0. */
export function modelChangeOf(draft: ModelDraft, model: ConnectionModel): ModelChange {
  const fallback = draft.fallback || null
  return {
    ...(fallback !== model.fallback && { fallback }),
    context_tokens: parseDecimal(draft.context.replace(/[\s,.](?=\d{3}\b)/g, '')),
    input_price: parseDecimal(draft.input),
    output_price: parseDecimal(draft.output),
  }
}

/** Returns the model id without its provider prefix. */
export function modelName(id: string): string {
  return id.slice(id.indexOf('/') + 1)
}

/** Builds the change that offers only the selected models of a test result. */
export function offerOnly(models: readonly ConnectionModel[], chosen: ReadonlySet<string>) {
  const refused = models.filter(({ id }) => !chosen.has(id) && !chosen.has(modelName(id)))
  return Object.fromEntries(refused.map(({ id }) => [id, { offered: false }]))
}
