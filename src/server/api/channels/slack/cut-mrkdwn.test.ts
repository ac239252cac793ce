import { expect, it } from 'vitest'
import { cutMrkdwn } from './cut-mrkdwn.ts'

const LINK = '<https://a.example/path|Minutes of the meeting>'

it.each([
  ['lines', `${'word '.repeat(300)}\n`.repeat(5)],
  ['one line of words', 'word '.repeat(2_000)],
  ['no spaces', 'あ'.repeat(9_000)],
  ['characters that are pairs', `a${'😀'.repeat(5_000)}`],
  ['links', `${LINK} and `.repeat(200)],
  ['links without spaces between them', LINK.repeat(200)],
])('cuts a text of %s into sections that lose nothing', (_, text) => {
  const pieces = cutMrkdwn(text)
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.join('')).toBe(text)
  for (const piece of pieces) {
    expect(piece.length).toBeLessThanOrEqual(2_900)
    expect(piece.isWellFormed()).toBe(true)
    expect(piece.match(/</g)?.length).toBe(piece.match(/>/g)?.length)
  }
})
