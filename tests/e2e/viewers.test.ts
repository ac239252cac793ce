import { buffer as bufferOf } from 'node:stream/consumers'
import { createCanvas } from '@napi-rs/canvas'
import PDFDocument from 'pdfkit'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Chunk, Document } from '../../src/shared/knowledge/documents/documents.ts'
import type { Place } from '../../src/shared/platform/place.ts'
import { type Account, accountAt } from '../support/account.ts'
import { untilAtRest } from '../support/at-rest.ts'
import { drawnFont } from '../support/drawn-text.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { buildPdf, type PdfPage, write } from '../support/pdf.ts'

/** A black square of 32 pixels as JPEG 2000, as some scanners produce. */
const JPEG_2000 =
  'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAIAAAACAAAQgHAAAAAAAPY29scgEAAAAAABEA' +
  'AACeanAyY/9P/1EAKQAAAAAAIAAAACAAAAAAAAAAAAAAAQAAAAEAAAAAAAAAAAAAAQcBAf9SAAwAAAABAAYCAgAA/1wAKSJ/IH7gfuB+' +
  'oHbwdvB2wG8AbwBu4GdQZ1BnaFAFUAVQR1fTV9NXYv9kABEAAUxhdmM1OS4zNy4xMDD/kAAKAAAAAAAbAAH/k9/4MBgHOI8AAAAAAAD/' +
  '2Q=='
const PAGES = 24
const SCAN = 2
const [WIDTH, HEIGHT] = [900, 1200]

let journey: Journey
let account: Account
let pdfId: string
let imageId: string
beforeAll(async () => {
  journey = await startJourney()
  account = accountAt(journey.url, await journey.signUp('ada'))
  ;[pdfId, imageId] = await Promise.all([
    upload('Contract.pdf', aContract()),
    upload('Statement.png', drawScan().toBuffer('image/png')),
  ])
})
afterEach(() => expect(journey.errors).toEqual([]))
afterAll(() => journey.close())

/** Draws a page like a scan. */
function drawScan() {
  const canvas = createCanvas(WIDTH, HEIGHT)
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.fillStyle = 'black'
  context.font = drawnFont(36)
  context.fillText('Monthly statement of accounts', 90, 150)
  return canvas
}

/** Returns upright pages of text, with every fifth in landscape and the second a scan. */
function aContract(): Uint8Array {
  const { data } = drawScan().getContext('2d').getImageData(0, 0, WIDTH, HEIGHT)
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3)
  for (let at = 0; at < WIDTH * HEIGHT; at++) rgb.set(data.subarray(at * 4, at * 4 + 3), at * 3)
  const scan = { width: 432, height: 576, content: ['q 432 0 0 576 0 0 cm /Scan Do Q'] }
  const pages = Array.from({ length: PAGES }, (_, at): PdfPage => {
    if (at + 1 === SCAN) return { ...scan, pictures: { Scan: { width: WIDTH, height: HEIGHT, rgb } } }
    const size = at % 5 === 4 ? { width: 842, height: 595 } : {}
    const lines = [1, 2].map((line) => write(60, 480 - line * 14, `The price of lot ${line} is revised.`))
    return { ...size, content: [write(60, 500, `Chapter ${at + 1}`, { size: 20, font: 'bold' }), ...lines] }
  })
  return buildPdf(pages)
}

async function upload(name: string, content: Uint8Array, ending = 'completed'): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)]), name)
  const headers = { authorization: `Bearer ${account.token}` }
  const url = `${journey.url}/api/v1/documents/upload`
  const { id } = (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as Document
  const isCompleted = async () =>
    expect((await account.call<Document>('GET', `/documents/${id}`)).status).toBe(ending)
  await vi.waitFor(isCompleted, { timeout: 90_000, interval: 500 })
  return id
}

async function openDocument(id: string, query = ''): Promise<Page> {
  return journey.open(`/documents/${id}${query}`, { token: account.token, width: 1280 })
}

const sheet = (page: Page, number: number) => page.locator(`[data-page="${number}"]`)
const pageField = (page: Page) => page.getByRole('textbox', { name: 'Page' })
const found = (page: Page) => page.evaluate<number>("CSS.highlights.get('found')?.size ?? 0")
/** Runs in the page: returns the milliseconds from the last keystroke to the first marked hit. */
const untilFound = `new Promise((resolve) => {
  let typed = 0
  addEventListener('input', () => (typed = performance.now()), true)
  const look = () =>
    CSS.highlights.get('found')?.size ? resolve(performance.now() - typed) : setTimeout(look, 10)
  look()
})`
const selected = (page: Page) => page.evaluate<string>('String(getSelection()).trim()')

describe('PDF viewer', () => {
  it('opens with thumbnails and parsed data, and turns pages by keys, number and thumbnail [PV-10, PD-01, PD-02, PD-05]', async () => {
    const page = await openDocument(pdfId)
    await sheet(page, 1).locator('canvas').waitFor()
    const small = page.getByRole('button', { name: 'Page 1', exact: true })
    await small.locator('img').waitFor()
    expect((await small.boundingBox())?.height).toBe(180)
    expect((await small.locator('img').boundingBox())?.height).toBeCloseTo(842 * 0.15, 0)
    expect(await page.getByRole('switch', { name: 'Parsed data' }).isChecked()).toBe(true)
    await sheet(page, 1).locator('.element-box').first().waitFor()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => pageField(page).inputValue()).toBe('2')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => pageField(page).inputValue()).toBe('1')
    await page.keyboard.press('+')
    await page.getByText('110%').waitFor()
    await page.keyboard.press('-')
    await page.getByText('100%').waitFor()
    await pageField(page).fill('20')
    await pageField(page).press('Enter')
    await sheet(page, 20).locator('canvas').waitFor()
    await page.getByRole('button', { name: 'Page 19', exact: true }).click()
    await expect.poll(() => pageField(page).inputValue()).toBe('19')
    await page.getByRole('switch', { name: 'Parsed data' }).uncheck()
    expect(await page.locator('.element-box').count()).toBe(0)
    await page.getByRole('button', { name: 'Small pages' }).click()
    expect(await page.getByRole('navigation', { name: 'Small pages' }).count()).toBe(0)
    await page.context().close()
  })

  it('loads with the page: its bytes and reader are requested before the code of the view arrives', async () => {
    const page = await openDocument(pdfId)
    await sheet(page, 1).locator('canvas').waitFor()
    // Waits until this page's requests no longer mix with those of the next one.
    await untilAtRest(page)
    const { promise: isAsked, resolve } = Promise.withResolvers<void>()
    const asked: string[] = []
    page.on('request', (request) => {
      if (!/\/content\?|pdf\.worker/.test(request.url())) return
      asked.push(`${request.url()} ${request.headers().range}`)
      if (new Set(asked.map((one) => one.includes('/content?'))).size === 2) resolve()
    })
    await page.route('**/assets/preview-view-*', async (route) => {
      await isAsked
      await route.continue()
    })
    await page.reload()
    await sheet(page, 1).locator('canvas').waitFor()
    expect(asked).toEqual([...new Set(asked)])
    await page.context().close()
  })

  it('renders scans in formats that browsers do not support', async () => {
    const jpeg2000 = new Uint8Array(Buffer.from(JPEG_2000, 'base64'))
    const pages = [
      {
        width: 100,
        height: 100,
        content: ['q 100 0 0 100 0 0 cm /Scan Do Q'],
        pictures: { Scan: { width: 32, height: 32, jpeg2000 } },
      },
    ]
    const page = await openDocument(await upload('Scan.pdf', buildPdf(pages)))
    await sheet(page, 1).locator('canvas').waitFor()
    const middle = `(() => { const canvas = document.querySelector('[data-page="1"] canvas')
      return [...canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data] })()`
    await expect.poll(() => page.evaluate(middle)).toEqual([0, 0, 0, 255])
    await page.context().close()
  })

  it('keeps its position when page sizes differ, and renders few pages at a time', async () => {
    const page = await openDocument(pdfId)
    await sheet(page, 1).locator('canvas').waitFor()
    await pageField(page).fill('13')
    await pageField(page).press('Enter')
    await sheet(page, 13).locator('canvas').waitFor()
    const room = page.getByRole('region', { name: 'Pages of Contract.pdf' })
    const top = async () =>
      ((await sheet(page, 13).boundingBox())?.y ?? 0) - ((await room.boundingBox())?.y ?? 0)
    expect(await top()).toBeCloseTo(16, 0)
    for (let at = 0; at < 8; at++) await page.getByRole('button', { name: 'Zoom out' }).click()
    await page.getByText('20%').waitFor()
    await page.waitForTimeout(500)
    const drawn = await page.locator('.pdf-picture canvas').count()
    expect(drawn).toBeGreaterThan(2)
    expect(drawn).toBeLessThanOrEqual(12)
    await page.context().close()
  })

  it('marks all hits, on text pages and on scans, whose words can be selected and found in the library [PD-06, IN-15]', async () => {
    const page = await openDocument(pdfId)
    await sheet(page, 1).locator('canvas').waitFor()
    const field = page.getByRole('textbox', { name: 'Find in the document' })
    const waited = page.evaluate<number>(untilFound)
    await field.fill('PRICE of')
    expect(await waited).toBeGreaterThanOrEqual(300)
    await page.getByText(`1 / ${2 * (PAGES - 1)}`, { exact: true }).waitFor()
    expect(await found(page)).toBe(2)
    await field.press('Enter')
    await page.getByText(`2 / ${2 * (PAGES - 1)}`, { exact: true }).waitFor()
    await field.press('Shift+Enter')
    await field.press('Shift+Enter')
    await expect.poll(() => pageField(page).inputValue()).toBe(String(PAGES))
    await field.fill('Statement of')
    await page.getByText('1 / 1', { exact: true }).waitFor()
    await expect.poll(() => pageField(page).inputValue()).toBe(String(SCAN))
    await expect.poll(() => found(page)).toBe(1)
    await sheet(page, SCAN).getByText('statement').dblclick()
    expect(await selected(page)).toBe('statement')
    await page.context().close()
    type Found = { objects: { properties: { document_id: string; place: Place } }[] }
    const wish = { query: 'monthly statement of accounts', use_bm25: true, hybrid_search: false }
    const { objects } = await account.call<Found>('POST', '/search_and_rerank/search_and_rerank', wish)
    const ofScan = objects.filter(({ properties }) =>
      properties.place.boxes?.some(({ page }) => page === SCAN),
    )
    expect(ofScan.map(({ properties }) => properties.document_id)).toContain(pdfId)
    expect(objects.map(({ properties }) => properties.document_id)).toContain(imageId)
  })

  it('marks a passage in place, and labels elements [PD-07]', async () => {
    const { chunks } = await account.call<{ chunks: Chunk[] }>('GET', `/documents/${pdfId}/chunks?limit=100`)
    const chunk = chunks.find(({ page_number }) => (page_number ?? 0) > 10)
    const page = await openDocument(pdfId, `?chunk=${chunk?.id}`)
    const mark = sheet(page, chunk?.page_number ?? 0)
      .locator('.chunk-mark')
      .first()
    await mark.waitFor()
    const element = sheet(page, chunk?.page_number ?? 0)
      .locator('.element-box')
      .first()
    const box = await element.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5)
    await page.getByRole('tooltip').getByText('Chapter').waitFor()
    await page.mouse.move(5, 5)
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await element.focus()
    await page.getByRole('tooltip').getByText('Chapter').waitFor()
    await page.context().close()
  })
})

describe('broken PDF', () => {
  it('shows an error and a toast, and reloads the page on request [PD-09, DO-18]', async () => {
    const page = await openDocument(pdfId)
    await sheet(page, 1).locator('canvas').waitFor()
    await page.route('**/content*', (route) => route.fulfill({ body: 'no PDF' }))
    await page.reload()
    await page.getByRole('heading', { name: 'The PDF could not be shown.' }).waitFor()
    await page.locator('.Toastify__toast', { hasText: 'The PDF could not be shown.' }).waitFor()
    await page.unroute('**/content*')
    const reloaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Try again' }).click()
    await reloaded
    await sheet(page, 1).locator('canvas').waitFor()
    await page.context().close()
  })
})

describe('picture viewer', () => {
  it('zooms, rotates and pans a picture, whose recognized text is shown and selectable [IV-01]', async () => {
    const { chunks } = await account.call<{ chunks: Chunk[] }>('GET', `/documents/${imageId}/chunks?limit=10`)
    const page = await openDocument(imageId, `?chunk=${chunks[0]?.id}`)
    const picture = page.locator('.image-sheet')
    const place = async () => (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await picture.locator('.chunk-mark').waitFor()
    await picture.getByText('statement').dblclick()
    expect(await selected(page)).toBe('statement')
    await page.keyboard.press('0')
    const whole = await place()
    await page.keyboard.press('+')
    await expect.poll(async () => (await place()).width).toBeGreaterThan(whole.width)
    for (let at = 0; at < 6; at++) await page.keyboard.press('+')
    const before = await place()
    await page.mouse.move(700, 600)
    await page.mouse.down()
    await page.mouse.move(660, 570)
    await page.mouse.up()
    expect(await place()).toMatchObject({ x: before.x - 40, y: before.y - 30 })
    await page.keyboard.press('0')
    await page.getByRole('button', { name: 'Turn to the right' }).click()
    const turned = await place()
    expect(turned.width).toBeGreaterThan(turned.height)
    await page.getByRole('button', { name: 'Go to the passage' }).click()
    await expect.poll(async () => (await place()).width).toBeGreaterThan(turned.width)
    await page.getByRole('switch', { name: 'Parsed data' }).uncheck()
    expect(await page.locator('.element-box').count()).toBe(0)
    await page.context().close()
  })
})

describe('a PDF with a password', () => {
  it('is opened in the browser with the password, which is sent and stored nowhere', async () => {
    const protectedPdf = new PDFDocument({ userPassword: 'harbour', pdfVersion: '1.7' })
    protectedPdf.text('The price of lot 3 is revised.')
    protectedPdf.end()
    const id = await upload(
      'Locked.pdf',
      await bufferOf(protectedPdf as unknown as AsyncIterable<Uint8Array>),
      'failed',
    )
    const page = await journey.open(`/documents/${id}`, { token: account.token })
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
    const field = page.getByLabel('Password', { exact: true })
    const open = page.getByRole('button', { name: 'Open', exact: true })
    await field.fill('wrong')
    await open.click()
    await page.getByText('This password is wrong.').waitFor()
    await field.fill('harbour')
    await open.click()
    await page.locator('canvas').first().waitFor()
    expect(sent.filter((one) => one.includes('harbour'))).toEqual([])
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(
      'harbour',
    )
    await page.context().close()
  })
})
