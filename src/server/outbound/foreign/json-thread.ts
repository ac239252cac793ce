import { createJsonScanner, type JsonBounds } from './json-scanner.ts'
import { serveThread } from './serve-thread.ts'

/** Gives the text of JSON that keeps to its bounds and is well formed. */
serveThread(({ bytes, bounds }: { bytes: Uint8Array; bounds: JsonBounds }) => {
  createJsonScanner(bounds).scan(bytes)
  const text = new TextDecoder().decode(bytes)
  JSON.parse(text)
  return text
})
