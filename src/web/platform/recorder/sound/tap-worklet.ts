/** Globals of a worklet that pages lack. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void

/** Samples sent together: 2,048 are some 45 ms. */
const PIECE = 2048

/** Passes the microphone's samples on in pieces, as one channel. */
class Tap extends AudioWorkletProcessor {
  #piece = new Float32Array(PIECE)
  #length = 0

  process([input]: Float32Array[][]): boolean {
    for (const sample of input?.[0] ?? []) {
      this.#piece[this.#length++] = sample
      if (this.#length === PIECE) this.#send()
    }
    return true
  }

  #send(): void {
    this.port.postMessage(this.#piece, [this.#piece.buffer])
    this.#piece = new Float32Array(PIECE)
    this.#length = 0
  }
}

registerProcessor('tap', Tap)
