import type { TextRole } from '../port.ts'
import type { Endpoint, WireRequest } from '../wire/dialect.ts'

type Body = Record<string, unknown>

/** Wire format of a provider's embeddings. */
export type EmbeddingWire = {
  /** Maximum texts per request. */
  textsMax: number
  request(model: string, texts: string[], endpoint: Endpoint, role: TextRole): WireRequest
  /** Returns the body with a request for vectors of this length. */
  shorten(body: Body, dimensions: number): Body
  /** Returns the vectors of an answer in the order of the texts; empty when it holds none. */
  read(answer: Record<string, unknown>): unknown[]
  /** Returns the tokens that the provider counted, or null when it does not report them. */
  used(answer: Record<string, unknown>): number | null
}

export const listOf = <Item>(value: unknown): Item[] => (Array.isArray(value) ? value : [])
