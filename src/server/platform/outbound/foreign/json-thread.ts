import { createJsonScanner, type JsonBounds } from './json-scanner.ts'
import { serveThread } from './serve-thread.ts'

type ToRead = { bytes: Uint8Array; bounds: JsonBounds; packsNumbers: boolean }

/** Returns the text of valid JSON within its limits, or its value if lists of numbers are packed. */
serveThread(({ bytes, bounds, packsNumbers }: ToRead) => {
  createJsonScanner(bounds).scan(bytes)
  const text = new TextDecoder().decode(bytes)
  const value: unknown = JSON.parse(text)
  return packsNumbers ? pack(value) : text
})

/** Packs lists of only numbers into typed arrays, which cross threads in one copy. */
function pack(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length > 0 && value.every(Number.isFinite) ? Float64Array.from(value) : value.map(pack)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pack(one)]))
}
