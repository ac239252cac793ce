/** What is asked of an address of the public internet. */
export type OutboundRequest = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string
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
  /** @throws AppError `unavailable` when it is no JSON, `too_large` with too many values or too many levels */
  json: () => Promise<unknown>
}
