import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { filesThatSay } from '#tests/every-kind.ts'
import { type SpeechServer, startSpeechServer } from '#tests/speech-server.ts'

const WORDS = 'The warehouse costs 41 euros'
const spoken = { text: WORDS, segments: [{ text: ` ${WORDS}.`, start: 0, end: 0.5, avg_logprob: -0.1 }] }

let speech: SpeechServer
let app: TestApp
let ada: Reader
beforeAll(async () => {
  // Parsing processes inherit PATH: these files need no system program.
  vi.stubEnv('PATH', '/nowhere')
  speech = await startSpeechServer()
  speech.answer(200, JSON.stringify(spoken))
  app = await startApp({
    config: {
      ATRIUM_EMBEDDING_MODEL: 'atrium/lexical',
      ATRIUM_COMPATIBLE_URL: speech.url,
      ATRIUM_COMPATIBLE_NAME: 'house',
      ATRIUM_TRANSCRIPTION_MODEL: 'house/whisper-1',
    },
  })
  ada = await aReader(app, `${await app.listen()}/api/v1`)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await app.close()
  await speech.close()
})

/** Uploads each file as a form and waits until all are processed. */
async function read(files: Record<string, string | Uint8Array>) {
  const sent = []
  for (const [name, bytes] of Object.entries(files)) {
    const content = typeof bytes === 'string' ? bytes : new Uint8Array(bytes)
    const { status, body } = await ada.upload({ name, content })
    expect([name, status]).toEqual([name, 201])
    sent.push(body.id as string)
  }
  return Promise.all(sent.map((id) => ada.processed(id)))
}

it('accepts and reads PDF, office files, pictures, sound, film, HTML and Markdown, and finds them by their words [DO-08]', async () => {
  const files = filesThatSay(WORDS)
  const documents = await read({ ...files.read, ...files.heard })
  for (const { id, name, status, text_markdown_content, error_message } of documents) {
    expect([name, status, error_message]).toEqual([name, 'completed', null])
    expect([name, text_markdown_content]).toEqual([name, expect.stringContaining(WORDS)])
    const filters = [{ property: 'document_id', operator: 'equal', value: id }]
    const asked = { query: 'warehouse', filters, limit: 5 }
    const { body } = await ada.call('POST', '/rag/generate', { ...asked, model: 'atrium/offline' })
    expect([name, body.sources[0]?.document_id]).toEqual([name, id])
  }
  const [film] = await read(files.silent)
  expect([film?.status, film?.duration, film?.text_markdown_content]).toEqual(['completed', 1, ''])
  const { body: report } = await ada.call('GET', `/documents/${film?.id}/report`)
  expect(report.warnings).toMatchObject([{ code: 'no_speech' }])
  // Files that need LibreOffice fail with its package.
  for (const { name, status, failure } of await read(files.older))
    expect([name, status, failure]).toEqual([
      name,
      'failed',
      {
        code: 'program_missing',
        values: { program: 'soffice', package: expect.stringContaining('libreoffice') },
      },
    ])
}, 120_000)
