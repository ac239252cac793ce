import { describe, expect, it } from 'vitest'
import { FRAME, nextDip, restOf, windowsOf } from './windows.ts'

/** Returns the loudness of a sound that is audible at these times. */
function loudnessOf(seconds: number, heard: [start: number, end: number][]) {
  const frames = Float32Array.from({ length: Math.round(seconds / FRAME) }, (_, at) =>
    heard.some(([start, end]) => at * FRAME >= start && at * FRAME < end) ? 0.1 : 0.001,
  )
  return { frames, threshold: 0.003 }
}
const rounded = (windows: { start: number; end: number }[]) =>
  windows.map(({ start, end }) => [Math.round(start * 10) / 10, Math.round(end * 10) / 10])

describe('windows of speech', () => {
  it('are absent if nothing or only a click is audible', () => {
    expect(windowsOf(loudnessOf(60, []), 30)).toEqual([])
    expect(windowsOf(loudnessOf(60, [[5, 5.04]]), 30)).toEqual([])
  })

  it('group adjacent speech, with a margin', () => {
    expect(
      rounded(
        windowsOf(
          loudnessOf(100, [
            [1, 3],
            [3.5, 5],
            [40, 45],
            [60, 65],
          ]),
          30,
        ),
      ),
    ).toEqual([
      [0.7, 5.3],
      [39.7, 65.3],
    ])
  })

  it('cut long speech where it is quietest, without gaps', () => {
    const loudness = loudnessOf(70, [[0, 70]])
    loudness.frames[Math.round(25 / FRAME)] = 0.05
    const windows = windowsOf(loudness, 30)
    expect(rounded(windows)[0]).toEqual([0, 25])
    expect(windows.every(({ start, end }) => end - start <= 30)).toBe(true)
    expect(windows.slice(1).map(({ start }) => start)).toEqual(windows.slice(0, -1).map(({ end }) => end))
    expect(windows.at(-1)!.end).toBeCloseTo(70)
  })

  it('are followed by another one if the model left out speech', () => {
    const loudness = loudnessOf(30, [[0, 20]])
    const window = { start: 0, end: 30 }
    expect(restOf(window, 12, loudness)).toEqual({ start: 12, end: 30 })
    expect(restOf(window, 19, loudness)).toBeNull()
    expect(restOf(window, 0, loudness)).toBeNull()
  })
})

it('moves the start of a word to a dip right after it', () => {
  const frames = new Float32Array(100).fill(0.2)
  frames.fill(0.01, 22, 25)
  const loudness = { frames, threshold: 0.003 }
  expect(nextDip(loudness, 0.4, 1)).toBeCloseTo(0.47, 5)
  expect(nextDip(loudness, 0.3, 1)).toBe(0.3)
  expect(nextDip(loudness, 0.6, 1)).toBe(0.6)
  // The word would be too short after the dip.
  expect(nextDip(loudness, 0.4, 0.5)).toBe(0.4)
})
