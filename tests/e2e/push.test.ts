import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }

let journey: Journey
beforeAll(async () => {
  // The headless shell shows no notifications.
  journey = await startJourney({ hasOwnFrames: true })
})
afterAll(() => journey.close())

const say = (key: string) => words('en', 'notifications', key)

/** Replaces the push service of a browser vendor, which cannot be reached from here. */
const subscribes = `Object.assign(PushManager.prototype, {
  subscribe: async ({ applicationServerKey }) => (window.subscription = {
    options: { applicationServerKey: applicationServerKey.buffer },
    toJSON: () => ({ endpoint: 'https://93.184.216.34/push', keys: { p256dh: 'B' + 'A'.repeat(86), auth: 'A'.repeat(22) } }),
    unsubscribe: async () => true,
  }),
  getSubscription: async () => window.subscription ?? null,
})`

/** Turns on notifications of a browser, and returns a function that delivers a push to it. */
async function turnOnPush(page: Page) {
  const workers = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    workers.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    })
  })
  await workers.send('ServiceWorker.enable')
  await page.getByRole('button', { name: say('push.turn_on') }).click()
  await page.getByText(say('push.on')).waitFor(WAIT)
  const registrationId = await registered
  return (data: object) =>
    workers.send('ServiceWorker.deliverPushMessage', {
      ...{ origin: journey.url, registrationId, data: JSON.stringify(data) },
    })
}

it('shows notifications in the browser, which open the exact place in the open tab', async () => {
  const token = await journey.signUp('petra')
  const account = accountAt(journey.url, token, 'petra')
  const { id } = await account.call<{ id: string }>('POST', '/sessions', { model_name: 'house/large' })
  const page = await journey.open('/user/notifications', { token, withWorker: true })
  await page.context().grantPermissions(['notifications'], { origin: journey.url })
  await page.context().addInitScript(subscribes)
  await page.reload()
  const push = await turnOnPush(page)
  const { browsers } = await account.call<{ browsers: { current: boolean }[] }>('GET', '/notifications/push')
  expect(browsers.map(({ current }) => current)).toEqual([true])
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/push-on.png` })
  const path = `/chat/${id}`
  await push({ tag: 'a', title: 'New answer', body: '', path })
  await push({ tag: 'a', title: 'New answer', body: '', path })
  const shown = `navigator.serviceWorker.ready.then((one) => one.getNotifications())
    .then((all) => all.map(({ title, tag }) => [title, tag]))`
  await expect.poll(() => page.evaluate(shown), WAIT).toEqual([['New answer', 'a']])
  const [worker] = page.context().serviceWorkers()
  await worker?.evaluate(`registration.getNotifications().then(([notification]) =>
    void dispatchEvent(new NotificationEvent('notificationclick', { notification })))`)
  await page.waitForURL(`**${path}`, WAIT)
  expect(await page.evaluate(shown)).toEqual([])
  await page.goto(`${journey.url}/user/notifications`)
  await page.getByRole('button', { name: say('push.turn_off') }).click()
  await page.getByRole('button', { name: say('push.turn_on') }).waitFor(WAIT)
  expect(journey.errors).toEqual([])
})
