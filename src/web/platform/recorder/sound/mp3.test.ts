import { MPEGDecoder } from 'mpg123-decoder'
import { expect, it } from 'vitest'
import { KBIT_S, startMp3 } from './mp3.ts'

it.each([44_100, 48_000])(
  'encodes sound at %i Hz to an mp3 of the same duration and pitch',
  async (sampleRate) => {
    const mp3 = startMp3(sampleRate)
    for (let piece = 0; piece * 2048 < 2 * sampleRate; piece++)
      mp3.add(Float32Array.from({ length: 2048 }, (_, at) => 0.5 * tone(piece * 2048 + at, sampleRate)))
    const blob = mp3.finish()
    expect(blob.type).toBe('audio/mpeg')
    expect(blob.size / 2).toBeGreaterThan((KBIT_S * 1000) / 8 / 1.2)
    expect(blob.size / 2).toBeLessThan((KBIT_S * 1000) / 8 / 0.8)
    const decoder = new MPEGDecoder()
    await decoder.ready
    const heard = decoder.decode(new Uint8Array(await blob.arrayBuffer()))
    decoder.free()
    const [samples = new Float32Array()] = heard.channelData
    expect(heard.sampleRate).toBe(sampleRate)
    expect(samples.length / sampleRate).toBeCloseTo(2, 0)
    const middle = samples.subarray(sampleRate / 2, (sampleRate * 3) / 2)
    let crossings = 0
    for (let at = 1; at < middle.length; at++) if (middle[at - 1]! < 0 && middle[at]! >= 0) crossings++
    expect(crossings).toBeGreaterThan(430)
    expect(crossings).toBeLessThan(450)
  },
)

/** The A above middle C: 440 Hz. */
const tone = (at: number, sampleRate: number) => Math.sin((2 * Math.PI * 440 * at) / sampleRate)
