/** A word with its edges in pixels. `paragraph` and `line` are ids. */
export type EngineWord = {
  paragraph: string
  line: string
  text: string
  left: number
  top: number
  right: number
  bottom: number
  confidence: number
}
/** An OCR engine. `read` takes a PNG picture. */
export type Engine = {
  read(png: Uint8Array, signal: AbortSignal): Promise<EngineWord[]>
  close(): Promise<void>
}
