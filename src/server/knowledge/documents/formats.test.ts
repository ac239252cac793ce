import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { docxOf } from '#tests/office.ts'
import { buildPdf, write } from '#tests/pdf.ts'
import { zipOf } from '#tests/zip.ts'

/** The transcript that the engine returns for every recording. */
const heard = {
  language: 'english',
  text: 'Ask not what your country can do. Ask what you can do for your country.',
  segments: [
    { text: ' Ask not what your country can do.', start: 0.1, end: 1, avg_logprob: -0.1 },
    { text: ' Ask what you can do for your country.', start: 1.2, end: 1.9, avg_logprob: -0.2 },
  ],
  words: [
    { word: 'Ask', start: 0.1, end: 0.4 },
    { word: 'not.', start: 0.5, end: 1 },
    { word: 'Ask', start: 1.2, end: 1.5 },
    { word: 'what.', start: 1.6, end: 1.9 },
  ],
}

let engine: Server
let app: TestApp
let ada: Reader
beforeAll(async () => {
  // The parsing processes inherit PATH and look up system programs in it.
  vi.stubEnv('PATH', '/nowhere')
  engine = createServer((request, response) => {
    request.resume().on('end', () => {
      const models = { object: 'list', data: [{ id: 'whisper-1', object: 'model' }] }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(request.method === 'GET' ? models : heard))
    })
  })
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve))
  app = await startApp({
    config: {
      ATRIUM_EMBEDDING_MODEL: 'atrium/lexical',
      ATRIUM_COMPATIBLE_URL: `http://127.0.0.1:${(engine.address() as AddressInfo).port}/v1`,
      ATRIUM_COMPATIBLE_NAME: 'house',
      ATRIUM_TRANSCRIPTION_MODEL: 'house/whisper-1',
    },
  })
  ada = await aReader(app, `${await app.listen()}/api/v1`)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await app.close()
  engine.closeAllConnections()
  engine.close()
})

/** A tone of two seconds. */
function aRecording(): Uint8Array<ArrayBuffer> {
  const samples = 32_000
  const bytes = Buffer.alloc(44 + samples * 2)
  bytes.write('RIFF\0\0\0\0WAVEfmt ', 0, 'latin1')
  bytes.writeUInt32LE(36 + samples * 2, 4)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(16_000, 24)
  bytes.writeUInt32LE(32_000, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples * 2, 40)
  for (let n = 0; n < samples; n++)
    bytes.writeInt16LE(9_000 * Math.sin((2 * Math.PI * 440 * n) / 16_000), 44 + n * 2)
  return new Uint8Array(bytes)
}

async function read(name: string, content: string | Uint8Array<ArrayBuffer>) {
  const { body } = await ada.upload({ name, content })
  const document = await ada.processed(body.id)
  const { body: found } = await ada.call('GET', `/documents/${body.id}/elements`)
  const elements = found.parts.flatMap((part: { elements: unknown[] }) => part.elements)
  return { document, elements, id: body.id as string }
}

const paragraph = (text: string, style = '') =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`

describe('parsed elements', () => {
  it('have their place on the page, their parent title and their file [DO-03]', async () => {
    const lines = ['It costs 41 euros a month.', 'It holds until autumn.', 'It may be ended before.']
    const chapter = (name: string, top: number) => [
      write(72, top, name, { size: 24, font: 'bold' }),
      ...lines.map((line, at) => write(72, top - 60 - at * 40, line)),
    ]
    const content = [...chapter('Offer of lot 3', 720), ...chapter('Terms of the offer', 420)]
    const { elements } = await read('Offer.pdf', new Uint8Array(buildPdf([{ content }])))
    const title = elements.find(({ text }: { text: string }) => text === 'Terms of the offer')
    const text = elements.find(
      ({ text, metadata }: { text: string; metadata: { parent_id: string } }) =>
        text.includes('41 euros') && metadata.parent_id === title.element_id,
    )
    expect([title.type, text.type]).toEqual(['Title', 'NarrativeText'])
    expect(text.element_id).not.toBe(title.element_id)
    const { bbox, coordinates, all_bboxes, element_metadata, ...rest } = text.metadata
    expect(rest).toMatchObject({ page_number: 1, filename: 'Offer.pdf', filetype: 'pdf' })
    const [left, top, right, bottom] = bbox
    expect([left < right, top < bottom, left > 0.1, top > 0.5]).toEqual([true, true, true, true])
    expect(coordinates.points.toSorted()).toEqual(
      [
        [left, top],
        [left, bottom],
        [right, bottom],
        [right, top],
      ].toSorted(),
    )
    expect(all_bboxes).toEqual([{ page: 1, box: bbox }])
    expect(element_metadata.span).toEqual([expect.any(Number), expect.any(Number)])
  })

  it('hold the transcript of a recording: segments with timed words, and its text [DO-03, MV-05, SV-85]', async () => {
    const { document, elements, id } = await read('talk.wav', aRecording())
    expect([document.status, document.duration]).toEqual(['completed', 2])
    expect(elements.map(({ type, text }: { type: string; text: string }) => [type, text])).toEqual([
      ['transcript_segment', 'Ask not what your country can do.'],
      ['transcript_segment', 'Ask what you can do for your country.'],
    ])
    const { metadata } = elements[1]
    expect(metadata).toMatchObject({
      ...{ filename: 'talk.wav', filetype: 'wav', duration: 0.7, language: 'en' },
      ...{ word_count: 2, segment_count: 2 },
    })
    expect(metadata.timeline_position).toBe(metadata.start)
    expect([metadata.start, metadata.end].map((time) => time.toFixed(1))).toEqual(['1.2', '1.9'])
    const words = metadata.words.map((word: Record<string, number>) => [
      word.text,
      word.start?.toFixed(1),
      word.end?.toFixed(1),
    ])
    expect(words).toEqual([
      ['Ask', '1.2', '1.5'],
      ['what.', '1.6', '1.9'],
    ])
    for (const { confidence } of metadata.words) expect(confidence > 0 && confidence <= 1).toBe(true)
    const { status, body } = await ada.call('POST', `/documents/${id}/transcribe`)
    expect([status, body]).toEqual([
      200,
      { text: 'Ask not what your country can do.\n\nAsk what you can do for your country.' },
    ])
    const { id: other } = await read('a.txt', 'No recording.')
    expect((await ada.call('POST', `/documents/${other}/transcribe`)).status).toBe(422)
  })
})

describe('a file', () => {
  it('is parsed by its bytes, not its extension, and the report warns of a wrong one [IN-01]', async () => {
    const content = new Uint8Array(docxOf(paragraph('Prices of lot 3')))
    const { document, id } = await read('prices.pdf', content)
    expect(document).toMatchObject({ status: 'completed', extension: 'pdf', normalized_extension: 'docx' })
    expect(document.text_markdown_content).toContain('Prices of lot 3')
    const { body: report } = await ada.call('GET', `/documents/${id}/report`)
    expect(report.warnings).toContainEqual({ code: 'wrong_extension', values: { format: 'docx' } })
    const other = new Uint8Array(docxOf(paragraph('Prices of lot 4')))
    const { id: right } = await read('prices.docx', other)
    const codes = (await ada.call('GET', `/documents/${right}/report`)).body.warnings.map(
      (warning: { code: string }) => warning.code,
    )
    expect(codes).not.toContain('wrong_extension')
  })

  it('unpacks archives, at most three levels deep [IN-14]', async () => {
    const nested = (depth: number): Buffer =>
      zipOf({
        [`at-${depth}.txt`]: `Depth ${depth}.`,
        ...(depth < 5 && { [`in-${depth}.zip`]: nested(depth + 1) }),
      })
    const { id } = await read('all.zip', new Uint8Array(nested(1)))
    const inside = async (parent: string): Promise<string[]> => {
      const { items } = (await ada.call('GET', `/documents?parent_id=${parent}`)).body
      const found: string[] = []
      for (const item of items) {
        const { status } = await ada.processed(item.id)
        found.push(`${item.name} ${status}`, ...(await inside(item.id)))
      }
      return found
    }
    await vi.waitFor(
      async () =>
        expect((await inside(id)).toSorted()).toEqual([
          ...['at-1.txt completed', 'at-2.txt completed', 'at-3.txt completed'],
          ...['in-1.zip completed', 'in-2.zip completed', 'in-3.zip completed'],
        ]),
      { timeout: 20_000, interval: 500 },
    )
  })

  it('stops unpacking an archive that contains itself', async () => {
    const content = new Uint8Array(zipOf({ 'self.txt': 'It stands for the archive itself.' }))
    const { id } = await read('self.zip', content)
    // A quine archive cannot be built here: its inner file is made to show the reading of the archive.
    await sql`update documents i set reading_id = d.reading_id from documents d where i.parent_id = d.id and d.id = ${id}`.execute(
      app.deps.db,
    )
    const { status, body } = await ada.upload({ name: 'again.zip', content })
    expect(status).toBe(201)
    let [depth, parent] = [0, body.id]
    for (; depth < 9; depth += 1) {
      const { items } = (await ada.call('GET', `/documents?parent_id=${parent}`)).body
      if (items.length === 0) break
      parent = items[0].id
    }
    expect(depth).toBe(3)
  })

  it('fails with program and package when a program is missing, and the library lists the missing ones [IN-10]', async () => {
    const film = Buffer.concat([
      Buffer.from('0000001866747970', 'hex'),
      Buffer.from('mp42\0\0\0\0mp42isom'),
      Buffer.alloc(4000, 1),
    ])
    const { document } = await read('film.mp4', new Uint8Array(film))
    expect(document).toMatchObject({
      ...{ status: 'failed', current_phase: 'PARSING' },
      failure: { code: 'program_missing', values: { program: 'ffmpeg', package: 'ffmpeg' } },
      error_message: 'Reading this file needs ffmpeg; install the package ffmpeg on the server.',
    })
    const { body } = await ada.call('GET', '/documents/state')
    expect(body.missing.map(({ program }: { program: string }) => program)).toEqual(['soffice', 'ffmpeg'])
  })
})
