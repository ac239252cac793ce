import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Chunk, Document } from '../../src/shared/knowledge/documents/documents.ts'
import { type Account, accountAt } from '../support/account.ts'
import { untilAtRest } from '../support/at-rest.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { type ModelRequest, says } from '../support/model-server.ts'
import { pptxOf, xlsxOf } from '../support/office.ts'
import { buildPdf, write } from '../support/pdf.ts'
import { type SpeechServer, startSpeechServer } from '../support/speech-server.ts'

/** Time of the sound in the recording, in seconds. */
const HEARD = 40
const ROWS = 900

let journey: Journey
let account: Account
let speech: SpeechServer
beforeAll(async () => {
  speech = await startSpeechServer()
  speech.answer(200, JSON.stringify({ text: said.join(' '), segments: [segment], words }))
  const env = {
    ...{ OPENAI_BASE_URL: speech.url, OPENAI_API_KEY: 'key' },
    ATRIUM_TRANSCRIPTION_MODEL: 'openai/whisper-1',
  }
  journey = await startJourney({ env })
  account = accountAt(journey.url, await journey.signUp('ada'))
})
afterEach(() => expect(journey.errors).toEqual([]))
afterAll(async () => {
  await journey.close()
  await speech.close()
})

const said = ['The', 'harbour', 'is', 'closed.']
const segment = { text: said.join(' '), start: 0, end: 2, avg_logprob: -0.1 }
const words = said.map((word, at) => ({ word, start: at / 2, end: at / 2 + 0.4 }))

/** Creates a minute and a half of silence with one tone. */
function aRecording(): Uint8Array<ArrayBuffer> {
  const rate = 16_000
  const bytes = Buffer.alloc(44 + 90 * rate * 2)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, 2 * rate],
    [40, bytes.length - 44],
  ] as const)
    bytes.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    bytes.writeUInt16LE(value, at)
  bytes.write('data', 36, 'latin1')
  for (let n = HEARD * rate; n < (HEARD + 2) * rate; n++)
    bytes.writeInt16LE(Math.round(9000 * Math.sin((2 * Math.PI * 440 * n) / rate)), 44 + n * 2)
  return new Uint8Array(bytes)
}

const cells = (row: number, values: string[]) =>
  values.map((value, at) => `<c r="${'AB'[at]}${row}" t="inlineStr"><is><t>${value}</t></is></c>`).join('')
const rows = Array.from({ length: ROWS }, (_, at) => {
  const values = at === 0 ? ['Part', 'Supplier'] : [`Part ${at}`, at === 700 ? 'Dalkorne of Lyon' : 'Kessler']
  return `<row r="${at + 1}">${cells(at + 1, values)}</row>`
})
const shape = (text: string) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="a"/><p:cNvSpPr/><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="100000" y="100000"/><a:ext cx="800000" cy="200000"/></a:xfrm></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
const filler = (about: string) =>
  Array.from({ length: 60 }, (_, at) => `Paragraph ${at + 1} ${about} says nothing about it.`.repeat(3))
const sought = 'The harbour of Marseille is closed on the third Sunday of every month.'

const files = {
  'Parts.xlsx': xlsxOf([{ name: 'Parts', content: `<sheetData>${rows.join('')}</sheetData>` }]),
  'Slides.pptx': pptxOf([
    ...['Our year', 'Our people', 'Our plans', 'Our houses'].map((text) => ({ shapes: shape(text) })),
    { shapes: shape(sought) },
  ]),
  'Rules.md': ['# Rules', ...filler('of the rules'), '## Harbours', sought, ...filler('after them')].join(
    '\n\n',
  ),
  'Page.html': `<html><body><h1>Rules</h1>${filler('of the page')
    .map((text) => `<p>${text}</p>`)
    .join('')}<h2>Harbours</h2><p>${sought}</p></body></html>`,
  'Letter.eml': [
    ...['From: grace@example.com', 'To: ada@example.com', 'Subject: Harbours', 'MIME-Version: 1.0'],
    ...['Content-Type: text/plain; charset=utf-8', '', ...filler('of the letter'), sought]
      .join('\n\n')
      .split('\n\n\n\n'),
  ].join('\n'),
  'Plan.pdf': buildPdf(
    Array.from({ length: 4 }, (_, at) => ({
      content: [write(72, 700, at === 2 ? sought : `Page ${at + 1} of the plan.`)],
    })),
  ),
  'Talk.wav': aRecording(),
}

type Read = { id: string; chunk: Chunk }
const uploaded = new Map<keyof typeof files, Promise<Read>>()

/** Returns a processed document and its wanted passage. Each is uploaded once. */
function read(name: keyof typeof files): Promise<Read> {
  const known = uploaded.get(name) ?? upload(name)
  uploaded.set(name, known)
  return known
}

async function upload(name: keyof typeof files): Promise<Read> {
  const form = new FormData()
  form.set(
    'file',
    new Blob([typeof files[name] === 'string' ? files[name] : new Uint8Array(files[name])]),
    name,
  )
  const headers = { authorization: `Bearer ${account.token}` }
  const url = `${journey.url}/api/v1/documents/upload`
  const { id } = (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as Document
  const isCompleted = async () => {
    const { status, error_message } = await account.call<Document>('GET', `/documents/${id}`)
    expect([status, error_message]).toEqual(['completed', null])
  }
  await vi.waitFor(isCompleted, { timeout: 150_000, interval: 500 })
  const { chunks } = await account.call<{ chunks: Chunk[] }>('GET', `/documents/${id}/chunks?limit=100`)
  const chunk = chunks.find(({ text }) => /harbour (of Marseille )?is closed|Dalkorne/i.test(text))
  if (!chunk) throw new Error(`${name} lacks the wanted passage: ${chunks.map(({ text }) => text)}`)
  return { id, chunk }
}

const open = (path: string, width = 1280) => journey.open(path, { token: account.token, width })

/** Returns whether the middle of an element is visible in all its scroll containers. */
async function isSeen(place: Locator): Promise<boolean> {
  const [box, screen] = [await place.boundingBox(), place.page().viewportSize()]
  if (!box || !screen) return false
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height, screen.height) / 2]
  return x > 0 && x < screen.width && y > 0 && y < screen.height
}

async function expectSeen(place: Locator): Promise<void> {
  await place.first().waitFor({ state: 'attached' })
  await expect.poll(() => isSeen(place.first()), { timeout: 15_000 }).toBe(true)
}

async function close(page: Page): Promise<void> {
  await page.context().close()
}

describe('address of a passage', () => {
  it('opens the cells of a sheet', async () => {
    const { id, chunk } = await read('Parts.xlsx')
    const page = await open(`/documents/${id}?chunk=${chunk.id}`)
    await expectSeen(page.locator('.sheet-mark[data-kind="cited"]'))
    await close(page)
  })

  it('opens the slide', async () => {
    const { id, chunk } = await read('Slides.pptx')
    const page = await open(`/documents/${id}?chunk=${chunk.id}`)
    await expectSeen(page.locator('.chunk-mark, [data-passage]'))
    await close(page)
  })

  it('opens the paragraph of a text, alone and next to a chat, also on a phone', async () => {
    const { id, chunk } = await read('Rules.md')
    const { id: session } = await account.call<{ id: string }>('POST', '/sessions', {})
    for (const [path, width] of [
      [`/documents/${id}?chunk=${chunk.id}`, 1280],
      [`/documents/${id}?chunk=${chunk.id}`, 375],
      [`/chat/${session}?document=${id}&chunk=${chunk.id}&view=digitized`, 1280],
      [`/chat/${session}?document=${id}&chunk=${chunk.id}`, 375],
    ] as const) {
      const page = await open(path, width)
      const passage = page.locator('.digitized-passage')
      await expectSeen(passage)
      expect(await passage.innerText()).toContain(sought)
      await close(page)
    }
  })

  it('opens the digitized view of a web page if it says so, without scrolling the page itself', async () => {
    const { id, chunk } = await read('Page.html')
    const page = await open(`/documents/${id}?chunk=${chunk.id}&view=digitized`)
    await expectSeen(page.locator('.digitized-passage'))
    await page.getByRole('button', { name: 'Original' }).first().click()
    const frame = page.frameLocator('iframe')
    await frame.getByText('Paragraph 1 of the page').first().waitFor()
    expect(await isSeen(page.locator('iframe'))).toBe(true)
    const [title, framed] = [
      await frame.locator('h1').boundingBox(),
      await page.locator('iframe').boundingBox(),
    ]
    expect(title?.y).toBeGreaterThanOrEqual(framed?.y ?? 0)
    await close(page)
  })

  it('opens the paragraph of a mail', async () => {
    const { id, chunk } = await read('Letter.eml')
    const page = await open(`/documents/${id}?chunk=${chunk.id}`)
    await expectSeen(page.locator('[data-passage]'))
    expect(await page.locator('[data-passage]').last().innerText()).toContain('harbour of Marseille')
    await close(page)
  })

  it('opens the second of a recording, which is streamed from there by ranges', async () => {
    const { id, chunk } = await read('Talk.wav')
    expect(chunk.place.start).toBeGreaterThan(HEARD - 1)
    const page = await open('/documents')
    const asked: [string, number][] = []
    page.on('response', (answer) => asked.push([new URL(answer.url()).pathname, answer.status()]))
    await page.goto(`/documents/${id}?chunk=${chunk.id}`)
    const now = () => page.evaluate<number>("document.querySelector('audio')?.currentTime ?? -1")
    await expect.poll(now, { timeout: 15_000 }).toBeCloseTo(chunk.place.start ?? 0, 1)
    await page.getByText('The recording is loading…').waitFor({ state: 'detached' })
    await expectSeen(page.locator('.media-segment[data-chosen]'))
    await page.locator('[data-word]', { hasText: 'closed' }).click()
    await expect.poll(now).toBeGreaterThan((chunk.place.start ?? 0) + 1.4)
    expect(await page.evaluate<unknown>("document.querySelector('audio').error")).toBeNull()
    expect(asked.some(([path, status]) => path.includes('/playback/') && status === 206)).toBe(true)
    expect(asked.some(([path]) => path.endsWith('/content'))).toBe(false)
    await close(page)
  })
})

describe('number in an answer', () => {
  /** Cites the passage that contains the words. */
  const cites = (words: RegExp) => (request: ModelRequest) => {
    const told = request.messages.map(({ content }) => JSON.stringify(content)).join('\n')
    const ahead = told.slice(0, Math.max(0, told.search(words)))
    const number = [...ahead.matchAll(/\[(\d+)\]/g)].at(-1)?.[1]
    return [says('So it says ', `[${number}`, '].')]
  }

  it.each([
    ['the page and box of a PDF', 'Plan.pdf', '.chunk-mark'],
    ['the cells of a sheet', 'Parts.xlsx', '.sheet-mark[data-kind="cited"]'],
    ['the slide', 'Slides.pptx', '.chunk-mark, [data-passage]'],
    ['the text of a web page', 'Page.html', '.digitized-passage'],
    ['the paragraph of a mail', 'Letter.eml', '[data-passage]'],
    ['the second of a recording', 'Talk.wav', '.media-segment[data-chosen]'],
    ['the lines of a text below their heading', 'Rules.md', '.digitized-passage'],
  ] as const)('opens %s beside the chat [CX-02]', async (_what, name, mark) => {
    const { id, chunk } = await read(name)
    const session = await account.call<{ id: string }>('POST', '/sessions', {})
    await fetch(`${journey.url}/api/v1/sessions/${session.id}/documents/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}` },
    })
    journey.model.always(cites(/harbour (of Marseille )?is closed|Dalkorne of Lyon/i))
    const page = await open(`/chat/${session.id}`, 1440)
    const composer = page.getByRole('textbox', { name: 'Message' })
    await composer.fill('Marseille, third Sunday? And Dalkorne?')
    await composer.press('Enter')
    const number = page
      .getByRole('log')
      .getByRole('link', { name: /^Source 1/ })
      .first()
    await number.waitFor()
    await untilAtRest(page)
    await number.click()
    await page.waitForURL((url) => url.searchParams.get('document') === id)
    expect(new URL(page.url()).searchParams.get('chunk')).toBe(chunk.id)
    await expectSeen(page.getByRole('complementary').locator(mark))
    expect(await page.getByRole('log').isVisible()).toBe(true)
    await close(page)
  })
})
