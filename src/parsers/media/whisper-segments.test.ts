import { expect, it } from 'vitest'
import { segmentsOf } from './whisper-segments.ts'

const time = (seconds: number) => ({ token: 50_364 + seconds * 50, text: '', end: seconds, confidence: 1 })
const say = (text: string, end: number) => ({ token: 1, text, end, confidence: 0.5 })

it('converts tokens of Whisper to segments with times of the whole recording', () => {
  const heard = [
    ...[time(0), say(' Good', 0.4), say(' morn', 0.7), say('ing', 0.9), say('.', 1), time(2)],
    ...[time(3), say(' Bye', 3.5), say('.', 9)],
  ]
  expect(segmentsOf(heard, 4, 10)).toEqual([
    {
      ...{ text: 'Good morning.', start: 10, end: 12 },
      words: [
        { text: 'Good', start: 10, end: 10.4, confidence: 0.5 },
        { text: 'morning.', start: 10.4, end: 11, confidence: 0.5 },
      ],
    },
    {
      ...{ text: 'Bye.', start: 13, end: 14 },
      words: [{ text: 'Bye.', start: 13, end: 14, confidence: 0.5 }],
    },
  ])
})
