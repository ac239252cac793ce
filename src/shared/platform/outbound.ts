/** A request to an address on the public internet. */
export type OutboundRequest = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'PROPFIND' | 'REPORT'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Maximum size of the answer in bytes, after decompression; default 5 MB. */
  maxBytes?: number
}

export type OutboundAnswer = {
  ok: boolean
  status: number
  /** Final address, after redirects. */
  url: string
  headers: Headers
  bytes: Uint8Array
  text: () => string
  /** @throws AppError `unavailable` if it is not JSON, `too_large` with too many values or too many levels */
  json: () => Promise<unknown>
}
