import type { AvailableModel, ConnectionModel } from '#shared/connections/connections.ts'
import type { Configured } from './configured.ts'
import type { GivePart, ModelCall, Usage } from './port.ts'

/** What a call cost. `amount` in dollars, 0 and `unpriced` when no price is known. */
export type Price = { amount: number; unpriced: boolean }

/** A configured provider and how its last listing went. */
export type ConnectionState = Configured & {
  status: 'ok' | 'error' | 'untested'
  status_detail: string | null
  models: ConnectionModel[]
}

/** The models of this installation. Ids are `provider/model`. */
export type Models = {
  list(): Promise<AvailableModel[]>
  /** The model used when a session names none. */
  defaultId(): Promise<string>
  /** @throws AppError `not_available` when the id names no model that may be used now. */
  find(modelId: string): Promise<AvailableModel>
  /** Streams one answer; see `StreamModel`. @throws AppError `not_available`, ModelError. */
  stream(modelId: string, call: Omit<ModelCall, 'model'>, signal: AbortSignal, give: GivePart): Promise<void>
  /** One vector for every text, in their order. @throws AppError `not_available`, ModelError. */
  embed(modelId: string, texts: string[], signal: AbortSignal): Promise<number[][]>
  price(modelId: string, usage: Usage): Promise<Price>
  /** The most a call may reasonably cost, in dollars; 0 when no price is known. */
  mostCost(modelId: string, call: Pick<ModelCall, 'messages' | 'tools' | 'output'>): Promise<number>
  /** Tokens of a text for this model's family, counted off the event loop. */
  countTokens(modelId: string, text: string): Promise<number>
  /** Every configured provider with what is known of its models, for administrators. */
  connections(): Promise<ConnectionState[]>
  /** Forgets what providers listed, after a connection or a price was changed. */
  refresh(): void
  close(): Promise<void>
}

export { connectionBaseUrl } from './configured.ts'
export { listModels as listProviderModels } from './listing/list-models.ts'
export { ModelError } from './port.ts'
export { createModels } from './registry.ts'
