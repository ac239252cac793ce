import { describe, expect, it } from 'vitest'
import { readBytes } from '#tests/reading.ts'
import { parse } from '../text/parse.ts'
import { readCues } from './read-cues.ts'

describe('readCues', () => {
  it('reads WebVTT with ids, voices, tags and notes', () => {
    const text =
      'WEBVTT - a meeting\nKind: captions\n\nNOTE by nobody\n\nab12/1-0\n00:04.963 --> 00:08.571 align:start\n<v.loud Ada Renard>We &amp; they <c.yellow>agreed</c></v>\n\n01:00:08.571 --> 01:00:11.000\nthat it\n<00:00:09.000>starts.\n'
    expect(readCues(text)).toEqual([
      { start: 4.963, end: 8.571, text: 'We & they agreed', speaker: 'Ada Renard' },
      { start: 3608.571, end: 3611, text: 'that it starts.', speaker: null },
    ])
  })

  it('reads SubRip, also without blank lines between cues', () => {
    const text =
      '1\n00:00:01,000 --> 00:00:02,500\n<i>Hello.</i>\n2\n00:00:03,000 --> 00:00:04,000\n{\\an8}Ben Okafor: The budget\n\n'
    expect(readCues(text)).toEqual([
      { start: 1, end: 2.5, text: 'Hello.', speaker: null },
      { start: 3, end: 4, text: 'The budget', speaker: 'Ben Okafor' },
    ])
  })

  it('splits a cue of two speakers', () => {
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>First\n<v.loud Ben>Second <i>half</i>\n'
    expect(readCues(vtt)).toEqual([
      { start: 1, end: 2, text: 'First', speaker: 'Ada' },
      { start: 1, end: 2, text: 'Second half', speaker: 'Ben' },
    ])
    const srt = '\ufeff1\n00:00:01,000 --> 00:00:02,000\n- Ada: One.\n- Ben: Two\nand more.\n'
    expect(readCues(srt)).toEqual([
      { start: 1, end: 2, text: 'One.', speaker: 'Ada' },
      { start: 1, end: 2, text: 'Two and more.', speaker: 'Ben' },
    ])
  })

  it('reads SBV', () => {
    expect(
      readCues('0:00:00.599,0:00:04.160\n>> ALICE: Hi there\n\n0:00:04.160,0:00:06.770\nIt is fun\n'),
    ).toEqual([
      { start: 0.599, end: 4.16, text: 'Hi there', speaker: 'ALICE' },
      { start: 4.16, end: 6.77, text: 'It is fun', speaker: null },
    ])
  })

  it.each(['Only words.', 'At the time\n00:00:01,000 --> 00:00:02,500\nit rang.', ''])(
    'returns null for %j',
    (text) => expect(readCues(text)).toBeNull(),
  )
})

it('creates segments by speaker, with seconds', async () => {
  const text =
    'WEBVTT\n\n00:04.000 --> 00:08.000\n<v Ada>We agreed that</v>\n\n00:08.000 --> 00:11.000\n<v Ada>it starts on 9 June.</v>\n\n00:12.000 --> 00:13.000\n<v Ben>Yes.</v>\n'
  const { elements, facts } = await readBytes(parse, 'txt', Buffer.from(text))
  expect(elements.map((one) => [one.type, one.text, one.place?.start, one.place?.end])).toEqual([
    ['transcript_segment', 'Ada: We agreed that it starts on 9 June.', 4, 11],
    ['transcript_segment', 'Ben: Yes.', 12, 13],
  ])
  expect(facts.duration).toBe(13)
})
