import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { aRecording } from '#tests/recordings.ts'
import { type SpeechServer, startSpeechServer } from '#tests/speech-server.ts'

let speech: SpeechServer
let app: TestApp
let client: OpenAI
let baseURL: string
beforeAll(async () => {
  speech = await startSpeechServer()
  app = await startApp({
    config: {
      ...{ ATRIUM_COMPATIBLE_URL: speech.url, ATRIUM_COMPATIBLE_NAME: 'house' },
      ATRIUM_TRANSCRIPTION_MODEL: 'house/whisper-1',
    },
  })
  baseURL = `${await app.listen()}/v1`
  client = await aClient()
})
afterAll(async () => {
  await app.close()
  await speech.close()
})

async function aClient(scopes: ('chat' | 'usage')[] = ['chat']): Promise<OpenAI> {
  const { secret } = await anApiKey(app, await aUser(app), { scopes })
  return new OpenAI({ apiKey: secret, baseURL, maxRetries: 0 })
}

const recording = () => toFile(aRecording('webm'), 'note.webm')
const said = {
  text: 'Hello there. Good day.',
  segments: [
    { text: ' Hello there.', start: 0, end: 0.4, avg_logprob: -0.1 },
    { text: ' Good day.', start: 0.5, end: 0.9, avg_logprob: -0.1 },
  ],
  words: [
    { word: 'Hello', start: 0, end: 0.2 },
    { word: 'there.', start: 0.2, end: 0.4 },
    { word: 'Good', start: 0.5, end: 0.7 },
    { word: 'day.', start: 0.7, end: 0.9 },
  ],
}
const hears = () => speech.answer(200, JSON.stringify(said))

describe('a transcription', () => {
  it('is returned as JSON, as text, and with segment and word times [PG-02]', async () => {
    hears()
    const ask = { model: 'house/whisper-1' as string }
    expect(await client.audio.transcriptions.create({ ...ask, file: await recording() })).toMatchObject({
      ...{ text: said.text, usage: { type: 'duration', seconds: 2 } },
    })
    const text = await client.audio.transcriptions.create({
      ...{ ...ask, file: await recording(), response_format: 'text' },
    })
    expect(text).toBe(`${said.text}\n`)
    const whole = await client.audio.transcriptions.create({
      ...{ ...ask, file: await recording(), response_format: 'verbose_json', language: 'en' },
      timestamp_granularities: ['word', 'segment'],
    })
    expect(whole).toMatchObject({ task: 'transcribe', language: 'english', text: said.text })
    expect(whole.duration).toBeCloseTo(1, 1)
    expect(whole.segments?.map((one) => [one.id, one.text, one.end])).toEqual([
      [0, 'Hello there.', 0.4],
      [1, 'Good day.', 0.9],
    ])
    expect(whole.segments?.[0]?.avg_logprob).toBeCloseTo(-0.1, 2)
    expect(whole.words?.map(({ word, end }) => [word, end])).toEqual(
      said.words.map(({ word, end }) => [word, end]),
    )
    const segmentsAlone = await client.audio.transcriptions.create({
      ...{ ...ask, file: await recording(), response_format: 'verbose_json' },
    })
    expect(segmentsAlone.words).toBeUndefined()
  })

  it('is returned as SRT and VTT subtitles [PG-02]', async () => {
    hears()
    const told = async (response_format: 'srt' | 'vtt') =>
      client.audio.transcriptions.create({
        ...{ model: 'whisper-1', file: await recording(), response_format },
      })
    const srt = (await told('srt')) as unknown as string
    expect(srt).toMatch(/^1\n00:00:00,\d{3} --> 00:00:00,400\nHello there\.\n\n2\n00:00:00,\d{3} --> /)
    const vtt = (await told('vtt')) as unknown as string
    expect(vtt).toMatch(/^WEBVTT\n\n00:00:00\.\d{3} --> 00:00:00\.400\nHello there\.\n\n/)
  })

  it('uses the given language and prompt [PG-02]', async () => {
    hears()
    await client.audio.transcriptions.create({
      ...{ model: 'whisper-1', file: await recording(), language: 'fr', prompt: 'Atrium, Metz' },
    })
    const sent = speech.requests.at(-1)?.body
    expect(sent).toContain('name="language"\r\n\r\nfr')
    expect(sent).toContain('name="prompt"\r\n\r\nAtrium, Metz')
  })

  it('lists its models; the built-in one needs no server [PG-02]', async () => {
    const ids = (await client.models.list()).data.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['house/whisper-1', 'atrium/whisper-base', 'whisper-1']))
    expect(new Set(ids).size).toBe(ids.length)
    const asked = speech.requests.length
    const silence = Buffer.alloc(44 + 32_000)
    silence.write('RIFF\0\0\0\0WAVEfmt ', 0, 'latin1')
    silence.writeUInt32LE(16, 16)
    silence.writeUInt16LE(1, 20)
    silence.writeUInt16LE(1, 22)
    silence.writeUInt32LE(16_000, 24)
    silence.writeUInt16LE(16, 34)
    silence.write('data', 36)
    silence.writeUInt32LE(32_000, 40)
    const file = await toFile(silence, 'silence.wav')
    const heard = await client.audio.transcriptions.create({ model: 'atrium/whisper-base', file })
    expect(heard.text).toBe('')
    expect(speech.requests).toHaveLength(asked)
  })

  it.each([
    ['an unknown model', { model: 'house/nothing' }, 404, 'model_not_found', null],
    ['a form nobody knows', { response_format: 'poem' }, 422, 'invalid', 'response_format'],
    ['a language that is none', { language: 'qqq' }, 422, 'invalid', 'language'],
    ['a prompt without end', { prompt: 'x'.repeat(4_050) }, 422, 'invalid', 'prompt'],
  ])("refuses %s in the wire's error format [PG-02]", async (_, wrong, status, code, param) => {
    const refused = client.audio.transcriptions.create({
      ...{ model: 'whisper-1', file: await recording(), ...wrong },
    } as never)
    await expect(refused).rejects.toMatchObject({ status, code, param, type: 'invalid_request_error' })
  })

  it('reports an invalid recording and forwards engine failures [PG-02]', async () => {
    const file = await toFile(Buffer.from('Some words.'), 'words.txt')
    await expect(client.audio.transcriptions.create({ model: 'whisper-1', file })).rejects.toMatchObject({
      ...{ status: 422, code: 'invalid' },
    })
    speech.answer(500, '{"error":"secret inside"}')
    const failed = await client.audio.transcriptions
      .create({ model: 'whisper-1', file: await recording() })
      .catch((error) => error)
    expect(failed).toMatchObject({ status: 502, code: 'provider_failed', type: 'server_error' })
    expect(failed.message).not.toContain('secret')
    const other = await aClient(['usage'])
    await expect(
      other.audio.transcriptions.create({ model: 'whisper-1', file: await recording() }),
    ).rejects.toMatchObject({ status: 403 })
    const nobody = new OpenAI({ apiKey: 'atr_wrong', baseURL, maxRetries: 0 })
    await expect(
      nobody.audio.transcriptions.create({ model: 'whisper-1', file: await recording() }),
    ).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
  })

  it('is cancelled when the caller disconnects, and leaves no data [PG-02]', async () => {
    const left = new AbortController()
    const asked = speech.requests.length
    speech.hang()
    const call = client.audio.transcriptions.create(
      { model: 'whisper-1', file: await recording() },
      { signal: left.signal },
    )
    call.catch(() => undefined)
    await expect.poll(() => speech.requests.length, { timeout: 20_000 }).toBe(asked + 1)
    left.abort()
    await expect(call).rejects.toThrow()
    await expect.poll(() => speech.cutOff(), { timeout: 10_000 }).toBe(1)
    const keys = async () => {
      const found: string[] = []
      for await (const key of app.deps.files.list()) found.push(key)
      return found
    }
    await expect.poll(keys, { timeout: 10_000 }).toEqual([])
  })
})
