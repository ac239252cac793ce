/** A word in pixels, with the numbers of its paragraph and line. */
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
/** An OCR program; give it PNG bytes. */
export type Engine = {
  read(png: Uint8Array, signal: AbortSignal): Promise<EngineWord[]>
  close(): Promise<void>
}
