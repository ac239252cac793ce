import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Journey, startJourney } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
beforeEach(() => journey.fresh())
afterAll(() => journey.close())

const diagram = (...lines: string[]) => ['```mermaid', ...lines, '```', ''].join('\n')
const answer = [
  diagram(
    'flowchart LR',
    '  A[Order] --> B{Stock?}',
    '  B -- yes --> C["<img src=x onerror=window.hit=1>"]',
    '  B -- no --> D["<script>window.hit=2</script>"]',
    '  C --> E["#lt;img src=x onerror=window.hit=3#gt;"]',
    '  click A "javascript:window.hit=4"',
  ),
  diagram(
    '%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%',
    'flowchart TD',
    '  A["<b onclick=x>x</b>"]',
  ),
  diagram('this is no diagram at all'),
].join('\n')

/** Opens a chat with an answer as a new user. */
async function openAnswer(username: string, text: string) {
  const token = await journey.signUp(username)
  journey.model.always([says(text)])
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = (path: string, body: unknown, accept: string) =>
    fetch(`${journey.url}/api/v1${path}`, {
      ...{ method: 'POST', headers: { ...headers, accept } },
      body: JSON.stringify(body),
    })
  const session = (await (await post('/sessions', {}, 'application/json')).json()) as { id: string }
  await (await post(`/sessions/${session.id}/messages`, { content: 'Draw' }, 'text/event-stream')).text()
  return journey.open(`/chat/${session.id}`, { token })
}

it('draws diagrams as inert pictures and shows the code of one that cannot be drawn', async () => {
  const page = await openAnswer('ada', answer)
  const pictures = page.getByRole('img', { name: 'Diagram' })
  await expect.poll(() => pictures.count(), { timeout: 60_000 }).toBe(2)
  await page.getByText('This diagram could not be drawn; its code is below.').waitFor()
  await page.getByRole('article').getByText('this is no diagram at all').waitFor()
  const drawn = decodeURIComponent((await pictures.first().getAttribute('src')) ?? '')
  expect(drawn).toMatch(/^data:image\/svg\+xml/)
  expect(drawn).toContain('Order')
  expect(drawn).not.toMatch(/<(img|script|foreignObject|a)\b/i)
  expect((await pictures.first().boundingBox())?.width).toBeGreaterThan(100)
  await page.getByRole('button', { name: 'Show the code' }).first().click()
  await page.getByRole('article').getByText('flowchart LR', { exact: true }).waitFor()
  for (const frame of page.frames()) expect(await frame.evaluate('window.hit')).toBeUndefined()
  expect(page.frames()).toHaveLength(2)
  expect(journey.errors).toEqual([])
})

it('draws in a frame that cannot reach the page, its storage or the network', async () => {
  const page = await openAnswer('grace', diagram('flowchart LR', '  A[Order] --> B[Invoice]'))
  await page.getByRole('img', { name: 'Diagram' }).waitFor({ timeout: 60_000 })
  const frame = page.frames().find((one) => one.parentFrame() !== null)
  // Runs code in the frame, as if it had bypassed every other defence.
  const found = await frame?.evaluate(async () => {
    const attempt = async (work: () => unknown) => {
      try {
        return String(await work())
      } catch (error) {
        return (error as Error).name
      }
    }
    return {
      origin: await attempt(() => (globalThis as unknown as { origin: string }).origin),
      page: await attempt(() => (globalThis as unknown as { parent: { document: unknown } }).parent.document),
      storage: await attempt(() => localStorage.getItem('token')),
      network: await attempt(() => fetch('/api/v1/health')),
    }
  })
  expect(found).toEqual({
    ...{ origin: 'null', page: 'SecurityError', storage: 'SecurityError', network: 'TypeError' },
  })
  // The frame is invisible and not reachable by keyboard.
  expect(await page.locator('iframe').isVisible()).toBe(false)
  expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts')
})

it('redraws a diagram in the colours of the other theme', async () => {
  const page = await openAnswer('linus', diagram('flowchart LR', '  A[Order] --> B[Invoice]'))
  const picture = page.getByRole('img', { name: 'Diagram' })
  await picture.waitFor({ timeout: 60_000 })
  const light = await picture.getAttribute('src')
  await page.evaluate(`localStorage.setItem('darkMode', 'true')
    dispatchEvent(new StorageEvent('storage', { key: 'darkMode' }))`)
  await expect.poll(() => picture.getAttribute('src'), { timeout: 20_000 }).not.toBe(light)
  expect(journey.errors).toEqual([])
})

it('shows the code if the frame does not respond, and draws the next diagram in a new frame', async () => {
  const page = await openAnswer('alan', diagram('flowchart LR', '  A[Order] --> B[Invoice]'))
  const pictures = page.getByRole('img', { name: 'Diagram' })
  await pictures.waitFor({ timeout: 60_000 })
  const ask = async (word: string) => {
    journey.model.reply([says(diagram('flowchart LR', `  A[Order] --> B[${word}]`))])
    const composer = page.getByRole('textbox', { name: 'Message' })
    await composer.fill(word)
    await composer.press('Enter')
  }
  const frame = page.frames().find((one) => one.parentFrame() !== null)
  // It accepts questions only from its parent page, which it no longer knows.
  expect(await frame?.evaluate('(parent = null) === window.parent')).toBe(true)
  await ask('Letter')
  await page
    .getByText('This diagram could not be drawn; its code is below.')
    .waitFor({ state: 'attached', timeout: 30_000 })
  await ask('Parcel')
  await expect.poll(() => pictures.count(), { timeout: 30_000 }).toBe(2)
  expect(await page.locator('iframe').count()).toBe(1)
})
