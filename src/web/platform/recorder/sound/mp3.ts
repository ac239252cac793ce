import { Mp3Encoder } from '@breezystack/lamejs'

/** Kilobits a second: speech stays clear, and an hour has 29 MB. */
export const KBIT_S = 64
/** What one frame of an mp3 holds. */
const FRAME = 1152

/** Makes an mp3 of one channel, piece by piece. Samples are from -1 to 1, `sampleRate` of them a second. */
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
