import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Journey, startJourney } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
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

it('diagrams are pictures in which nothing runs, and one that cannot be drawn shows its code', async () => {
  const token = await journey.signUp('ada')
  journey.model.always([says(answer)])
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = (path: string, body: unknown, accept: string) =>
    fetch(`${journey.url}/api/v1${path}`, {
      ...{ method: 'POST', headers: { ...headers, accept } },
      body: JSON.stringify(body),
    })
  const session = (await (await post('/sessions', {}, 'application/json')).json()) as { id: string }
  await (await post(`/sessions/${session.id}/messages`, { content: 'Draw' }, 'text/event-stream')).text()
  const page = await journey.open(`/chat/${session.id}`, { token })
  const pictures = page.getByRole('img', { name: 'Diagram' })
  await expect.poll(() => pictures.count(), { timeout: 60_000 }).toBe(2)
  await page.getByText('This diagram could not be drawn; its code is below.').waitFor()
  await page.getByText('this is no diagram at all').waitFor()
  const drawn = decodeURIComponent((await pictures.first().getAttribute('src')) ?? '')
  expect(drawn).toMatch(/^data:image\/svg\+xml/)
  expect(drawn).toContain('Order')
  expect(drawn).not.toMatch(/<(img|script|foreignObject|a)\b/i)
  expect((await pictures.first().boundingBox())?.width).toBeGreaterThan(100)
  await page.getByRole('button', { name: 'Show the code' }).first().click()
  await page.getByText('flowchart LR', { exact: true }).waitFor()
  expect(await page.evaluate('window.hit')).toBeUndefined()
  expect(journey.errors).toEqual([])
})
