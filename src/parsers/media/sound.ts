import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Samples per second for transcription. The sound, one channel of 16 bits, is in a file to save memory. */
export const SAMPLE_RATE = 16_000
const BYTES = 2

/** A piece of decoded sound: a list of samples (-1 to 1) for each channel. */
export type Piece = { channels: Float32Array[]; rate: number }

/** Writes sound to a file as one channel at 16 kHz. Returns the number of samples. */
export async function writeSound(path: string, pieces: AsyncIterable<Piece>): Promise<number> {
  const file = createWriteStream(path)
  const resample = createResampler()
  let written = 0
  for await (const { channels, rate } of pieces) {
    const samples = resample(mixed(channels), rate)
    written += samples.length
    const bytes = Int16Array.from(samples, (value) => Math.max(-1, Math.min(1, value)) * 32_767)
    if (!file.write(Buffer.from(bytes.buffer))) await once(file, 'drain')
  }
  file.end()
  await once(file, 'close')
  return written
}

/** Opens the sound of a file written by `writeSound` or ffmpeg. */
export async function openSound(path: string) {
  const file: FileHandle = await open(path)
  const { size } = await file.stat()
  return {
    seconds: size / BYTES / SAMPLE_RATE,
    /** Returns the samples between two times in seconds. */
    read: async (start: number, end: number): Promise<Float32Array> => {
      const from = Math.max(0, Math.round(start * SAMPLE_RATE)) * BYTES
      const length = Math.max(
        0,
        Math.min(size - (size % BYTES), Math.round(end * SAMPLE_RATE) * BYTES) - from,
      )
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
      return Float32Array.from({ length: bytesRead >> 1 }, (_, at) => buffer.readInt16LE(at * BYTES) / 32_768)
    },
    close: () => file.close(),
  }
}
export type Sound = Awaited<ReturnType<typeof openSound>>

function mixed(channels: Float32Array[]): Float32Array {
  const [first = new Float32Array(), ...others] = channels
  if (others.length === 0) return first
  return first.map((value, at) => others.reduce((sum, one) => sum + (one[at] ?? 0), value) / channels.length)
}

/** Returns a function that converts consecutive pieces to the sample rate, by averaging samples or interpolating between two. */
function createResampler() {
  let rest = new Float32Array()
  let offset = 0
  return (samples: Float32Array, rate: number): Float32Array => {
    if (rate === SAMPLE_RATE) return samples
    const step = rate / SAMPLE_RATE
    const all = new Float32Array(rest.length + samples.length)
    all.set(rest)
    all.set(samples, rest.length)
    const count = Math.max(0, Math.floor((all.length - 1 - offset) / step))
    const out = Float32Array.from({ length: count }, (_, at) => between(all, offset + at * step, step))
    const end = offset + count * step
    rest = all.slice(Math.floor(end))
    offset = end - Math.floor(end)
    return out
  }
}

function between(samples: Float32Array, from: number, step: number): number {
  const first = Math.floor(from)
  if (step <= 1) {
    const [a = 0, b = 0] = [samples[first], samples[first + 1]]
    return a + (b - a) * (from - first)
  }
  const last = Math.min(samples.length, Math.max(first + 1, Math.floor(from + step)))
  let sum = 0
  for (let at = first; at < last; at++) sum += samples[at] ?? 0
  return sum / (last - first)
}
