/** What is asked of an address of the public internet. */
export type OutboundRequest = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  /** Headers that go to no other origin, beside those that say so by their name. */
  secretHeaders?: readonly string[]
  /** Largest answer in bytes, after decompression; 5 MB without it. */
  maxBytes?: number
}

export type OutboundAnswer = {
  ok: boolean
  status: number
  /** Where the answer came from, after redirects. */
  url: string
  headers: Headers
  bytes: Uint8Array
  text: () => string
  /** @throws AppError `unavailable` when it is no JSON */
  json: () => unknown
}
