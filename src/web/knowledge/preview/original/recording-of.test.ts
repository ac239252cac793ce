import { describe, expect, it } from 'vitest'
import { aDocument } from '#tests/web/document-builder.ts'
import { recordingOf, stemOf } from './recording-of.ts'

describe('stemOf', () => {
  it.each([
    ['Weekly.vtt', 'Weekly.mp4'],
    ['Weekly-20260105_100000-Meeting Transcript.vtt', 'Weekly-20260105_100000-Meeting Recording.mp4'],
    ['GMT20260105-100000_Recording.transcript.vtt', 'GMT20260105-100000_Recording_1920x1080.mp4'],
    ['talk.en-us.srt', 'talk.webm'],
    ['talk.fr.sbv', 'Talk.mp3'],
  ])('is the same of %s and %s', (transcript, recording) => {
    expect(stemOf(transcript)).toBe(stemOf(recording))
  })

  it('keeps names that are only such words', () => {
    expect(stemOf('recording.mp3')).toBe('recording')
    expect(stemOf('Weekly 2.vtt')).not.toBe(stemOf('Weekly 3.mp4'))
  })
})

describe('recordingOf', () => {
  it('finds the recording of the same name, the nearest in length of several', () => {
    const [short, long] = [
      aDocument({ id: 'a', name: 'weekly.mp3', duration: 40 }),
      aDocument({ id: 'b', name: 'weekly.mp4', duration: 1800 }),
    ]
    expect(recordingOf({ name: 'weekly.vtt', duration: 1790 }, [short, long])).toBe(long)
    expect(recordingOf({ name: 'other.vtt', duration: 1790 }, [short, long])).toBeNull()
  })
})
