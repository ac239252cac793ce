import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailboxWorld, startMailboxWorld } from '../support/actions/mailbox-world.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { calls, says } from '../support/model-server.ts'
import { takeShots } from '../support/take-shots.ts'

const WAIT = { timeout: 30_000 }

let world: MailboxWorld
let journey: Journey
beforeAll(async () => {
  world = await startMailboxWorld()
  const allowed = [world.imapPort, world.smtpPort].map((port) => `http://127.0.0.1:${port}`)
  journey = await startJourney({ env: { ATRIUM_TOOLS_PRIVATE: allowed.join() } })
  journey.model.always(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? [says('The mail was sent.')]
      : [
          calls('send_mail', {
            to: ['bob@example.org'],
            subject: 'Offer',
            body: 'Dear Bob,\n\nhere is our offer.\n\nAda',
          }),
        ],
  )
})
afterAll(async () => {
  await journey.close()
  await world.close()
})

it('a person connects a mailbox, changes a draft in the chat, and sends what it shows [AC-01, AC-02]', async () => {
  const token = await journey.signUp('ada')
  const page = await journey.open('/user/accounts', { token, width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Connect Mailbox' }).click(WAIT)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your address').fill('ada@example.com')
  await dialog.getByLabel('Password').fill(world.password)
  for (const [name, port] of [
    ['Receiving (IMAP)', world.imapPort],
    ['Sending (SMTP)', world.smtpPort],
  ] as const) {
    const server = dialog.getByRole('group', { name })
    await server.getByLabel('Encryption').selectOption('starttls')
    await server.getByLabel('Server').fill('127.0.0.1')
    await server.getByLabel('Port').fill(String(port))
  }
  await takeShots(page, 'dialog')
  await dialog.getByRole('button', { name: 'Try and connect' }).click()
  await page.getByText(/ada@example.com, connected on/).waitFor(WAIT)
  expect(await page.getByLabel('Send mail').inputValue()).toBe('ask')
  await takeShots(page, 'accounts')
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])

  const chat = await journey.open('/', { token, width: 1280, height: 900 })
  await chat.waitForURL('**/chat/*')
  const composer = chat.getByRole('textbox', { name: 'Message' })
  await composer.fill('Send Bob our offer')
  await composer.press('Enter')
  const subject = chat.getByLabel('Subject')
  await subject.waitFor(WAIT)
  expect(await chat.getByLabel('From').inputValue()).toBe('ada@example.com')
  await takeShots(chat, 'draft')
  await chat.evaluate(axeSource)
  expect(await runAxe(chat)).toEqual([])
  await chat.getByLabel('To', { exact: true }).fill('bob')
  await chat.getByText('Send', { exact: true }).click()
  await chat.getByText('bob is not an address.').waitFor(WAIT)
  expect(world.delivered).toEqual([])
  await chat.getByLabel('To', { exact: true }).fill('carol@example.org, bob@example.org')
  await subject.fill('Our offer')
  await chat.getByText('Send', { exact: true }).click()
  await chat.getByText('The mail was sent.').first().waitFor(WAIT)
  expect(world.delivered.map(({ to }) => to)).toEqual([['carol@example.org', 'bob@example.org']])
  expect(world.delivered[0]?.raw).toMatch(/^Subject: Our offer$/m)
  await takeShots(chat, 'sent')
  expect(journey.errors).toEqual([])
})

it('the page of the accounts is French in French', async () => {
  const token = await journey.signUp('zoe', 'fr')
  const page = await journey.open('/user/accounts', { token, language: 'fr', width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Connecter Agenda' }).click(WAIT)
  await page.getByRole('dialog').getByLabel('Adresse de l’agenda').waitFor(WAIT)
  expect(journey.errors).toEqual([])
})
