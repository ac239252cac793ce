import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { type SpeechServer, startSpeechServer } from '#tests/speech-server.ts'

let speech: SpeechServer
let app: TestApp
let deaf: TestApp
beforeAll(async () => {
  speech = await startSpeechServer()
  const config = {
    ATRIUM_COMPATIBLE_URL: speech.url,
    ATRIUM_COMPATIBLE_KEY: 'secret',
    ATRIUM_COMPATIBLE_NAME: 'house',
  }
  app = await startApp({ config: { ...config, ATRIUM_TRANSCRIPTION_MODEL: 'house/whisper-1' } })
  deaf = await startApp({ config })
  await Promise.all([app.listen(), deaf.listen()])
})
afterAll(async () => {
  await app.close()
  await deaf.close()
  await speech.close()
})

const webm = Buffer.from('1a45dfa3ffffffff', 'hex')

/** Stores a file as a new user and requests its transcript. */
async function transcribe(at: TestApp, content: Buffer = webm, type = 'audio/webm') {
  const { headers } = await aUser(at)
  const form = new FormData()
  form.append('file', new Blob([content], { type }), 'note.webm')
  const url = `${at.deps.publicUrl()}/api/v1/input-files`
  const stored = await fetch(url, { method: 'POST', headers, body: form })
  const { id } = (await stored.json()) as { id: string }
  const answer = await fetch(`${url}/${id}/transcribe`, { method: 'POST', headers })
  return { status: answer.status, body: await answer.json(), path: `${url}/${id}/transcribe` }
}

describe('transcribing a recording', () => {
  it("uses the installation's speech engine [CK-12, R-01]", async () => {
    expect(await transcribe(app)).toMatchObject({ status: 200, body: { text: 'The blue one.' } })
    const [sent] = speech.requests
    expect(sent).toMatchObject({ path: '/v1/audio/transcriptions', authorization: 'Bearer secret' })
    expect(sent?.body).toContain('name="model"\r\n\r\nwhisper-1')
    expect(sent?.body).toContain('filename="note.webm"')
    expect(sent?.body).toContain(webm.toString('latin1'))
  })

  it('is refused with a reason when no engine is configured [CK-12, R-01]', async () => {
    expect(await transcribe(deaf)).toMatchObject({
      ...{ status: 422, body: { code: 'not_available', detail: 'This server has no speech engine.' } },
    })
  })

  it('reports a failing engine in one sentence [CK-12, R-01]', async () => {
    const failure = { status: 502, body: { code: 'provider_failed' } }
    speech.answer(500, '{"error": "secret inside"}')
    const failed = await transcribe(app)
    expect(failed).toMatchObject(failure)
    expect(JSON.stringify(failed.body)).not.toContain('secret')
    speech.answer(200, 'no json')
    expect(await transcribe(app)).toMatchObject(failure)
  })

  it('accepts only recordings that belong to the user [CK-12]', async () => {
    expect((await transcribe(app, Buffer.from('hello'), 'text/plain')).status).toBe(422)
    const { path } = await transcribe(app)
    const stranger = await aUser(app)
    expect((await fetch(path, { method: 'POST', headers: stranger.headers })).status).toBe(403)
  })
})
