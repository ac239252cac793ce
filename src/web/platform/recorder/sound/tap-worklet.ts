/** What a worklet has and pages do not. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void

/** Samples that leave at once: 2,048 are some 45 ms. */
const PIECE = 2048

/** Hands on what is heard, in pieces, as one channel. */
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
