import { Mp3Encoder } from '@breezystack/lamejs'

/** Kilobits per second: speech stays clear, and an hour takes 29 MB. */
export const KBIT_S = 64
/** Samples per mp3 frame. */
const FRAME = 1152

/** Encodes one channel to mp3 piece by piece. Samples are from -1 to 1, `sampleRate` per second. */
export function startMp3(sampleRate: number) {
  const encoder = new Mp3Encoder(1, sampleRate, KBIT_S)
  const parts: Uint8Array<ArrayBuffer>[] = []
  const keep = (bytes: Uint8Array) => {
    if (bytes.length > 0) parts.push(Uint8Array.from(bytes))
  }
  return {
    add(samples: Float32Array): void {
      const whole = toInt16(samples)
      for (let at = 0; at < whole.length; at += FRAME)
        keep(encoder.encodeBuffer(whole.subarray(at, at + FRAME)))
    },
    finish(): Blob {
      keep(encoder.flush())
      return new Blob(parts, { type: 'audio/mpeg' })
    },
  }
}

function toInt16(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767))
}
