import { createJsonScanner, type JsonBounds } from './json-scanner.ts'
import { serveThread } from './serve-thread.ts'

type ToRead = { bytes: Uint8Array; bounds: JsonBounds; packsNumbers: boolean }

/** Gives the text of JSON that keeps to its bounds and is well formed; its value where lists of numbers are packed. */
serveThread(({ bytes, bounds, packsNumbers }: ToRead) => {
  createJsonScanner(bounds).scan(bytes)
  const text = new TextDecoder().decode(bytes)
  const value: unknown = JSON.parse(text)
  return packsNumbers ? pack(value) : text
})

/** Lists of numbers alone as numbers in a row, which cross threads in one copy. */
function pack(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length > 0 && value.every(Number.isFinite) ? Float64Array.from(value) : value.map(pack)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pack(one)]))
}
