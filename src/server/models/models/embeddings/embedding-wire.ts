import type { TextRole } from '../port.ts'
import type { Endpoint, WireRequest } from '../wire/dialect.ts'

type Body = Record<string, unknown>

/** How a provider's embeddings are asked for: texts out, one vector for each of them in. */
export type EmbeddingWire = {
  /** The most texts that one request may carry. */
  textsMax: number
  request(model: string, texts: string[], endpoint: Endpoint, role: TextRole): WireRequest
  /** The body of a request that also asks for vectors of this length. */
  shorten(body: Body, dimensions: number): Body
  /** The vectors of an answer in the order of the texts; nothing where it holds none. */
  read(answer: Record<string, unknown>): unknown[]
  /** Tokens it counted; null where it does not say. */
  used(answer: Record<string, unknown>): number | null
}

export const listOf = <Item>(value: unknown): Item[] => (Array.isArray(value) ? value : [])
