import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

type Named = { id: string; name: string; mime_type: string }

let journey: Journey
let token: string
beforeAll(async () => {
  // A microphone that beeps once a second, with permission granted.
  journey = await startJourney({
    flags: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  })
  token = await journey.signUp('ada')
})
afterAll(() => journey.close())

it('saves a recording as a real mp3 and attaches it to the message [RE-04]', async () => {
  journey.model.always(() => [says('Heard.')])
  const page = await journey.open('/chat', { token })
  await page.getByRole('button', { name: 'Record sound' }).click()
  const strip = page.getByRole('region', { name: 'Recording' })
  await strip.getByText('0:02').waitFor()
  await strip.getByRole('button', { name: 'Stop' }).click()
  await strip.getByRole('button', { name: 'Save' }).click()
  await page
    .getByText(/^recording-\d{8}-\d{6}\.mp3$/)
    .first()
    .waitFor()
  const { call } = accountAt(journey.url, token, 'ada')
  const list = async () => (await call<{ items: Named[] }>('GET', '/documents')).items
  await expect.poll(async () => (await list()).length, { timeout: 20_000 }).toBe(1)
  const items = await list()
  expect(items[0]).toMatchObject({
    mime_type: 'audio/mpeg',
    name: expect.stringMatching(/^recording-\d{8}-\d{6}\.mp3$/),
  })
  const headers = { authorization: `Bearer ${token}` }
  const file = await fetch(`${journey.url}/api/v1/documents/${items[0]?.id}/content`, { headers })
  const bytes = new Uint8Array(await file.arrayBuffer())
  // An MPEG-1 layer III frame, and two seconds at 64 kbit/s.
  expect([bytes[0], (bytes[1] ?? 0) & 0xfe]).toEqual([0xff, 0xfa])
  expect(bytes.length).toBeGreaterThan(12_000)
  await page.getByRole('textbox', { name: /message/i }).fill('What was said?')
  await page.keyboard.press('Enter')
  await page.getByRole('log', { name: 'Messages' }).getByText('Heard.').waitFor()
  const sessionId = new URL(page.url()).pathname.split('/').at(-1)
  const { documents } = await call<{ documents: Named[] }>('GET', `/sessions/${sessionId}`)
  expect(documents.map(({ id }) => id)).toEqual([items[0]?.id])
  expect(journey.errors).toEqual([])
})
