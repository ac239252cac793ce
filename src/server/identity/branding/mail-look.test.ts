import { sql } from 'kysely'
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brandColours } from '#shared/identity/branding/brand-colours.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aBrand, aBrandLogo } from '#tests/company-brand.ts'
import { aVerifiedDomain } from '#tests/company-domain.ts'
import { startSmtpServer } from '#tests/smtp-server.ts'
import { button, page } from '../../platform/mail/mail-html.ts'
import { senderOf } from '../../platform/mail/sender-of.ts'
import { findMailLook, wearLook } from './branding.ts'

let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let app: TestApp
beforeAll(async () => {
  smtp = await startSmtpServer()
  const config = { SMTP_URL: smtp.url, MAIL_FROM: 'Atrium <mails@server.test>' }
  app = await startApp({ config })
})
afterAll(async () => {
  await app.close()
  smtp.close()
})

async function aPerson(companyId: string, language = 'en'): Promise<TestUser & { email: string }> {
  const user = await aUser(app, { role: 'member', companyId })
  const row = app.deps.db.updateTable('users').set({ language }).where('id', '=', user.id).returning('email')
  return { ...user, email: (await row.executeTakeFirstOrThrow()).email }
}

/** Asks for a mail that resets the password, and returns it as its reader gets it. */
async function mailTo(email: string): Promise<Email> {
  const payload = { email }
  await app.http.inject({ method: 'POST', url: '/api/v1/users/request-password-reset', payload })
  return readMail(email)
}

/** Waits for the mail to an address. */
async function readMail(email: string): Promise<Email> {
  const mine = () =>
    smtp
      .said()
      .split('RCPT TO:')
      .find((part) => part.startsWith(`<${email}>`) && part.includes('\r\n.\r\n'))
  await expect.poll(mine, { timeout: 15_000 }).toBeTruthy()
  return PostalMime.parse(/DATA\r\n([\s\S]*?)\r\n\.\r\n/.exec(mine() ?? '')?.[1] ?? '')
}

describe('a mail to a person of a company with a brand', () => {
  it('has the name, logo, colour, sender and reply address of the company [GV-06]', async () => {
    const house = await aCompany(app)
    await aBrand(app, house, {
      name: 'Zenith & Co',
      accent: '#c026d3',
      senderName: 'Zenith Help',
      replyTo: 'help@zenith.test',
    })
    await aBrandLogo(app, house)
    const mail = await mailTo((await aPerson(house)).email)
    expect(mail.from).toEqual({ name: 'Zenith Help', address: 'mails@server.test' })
    expect(mail.replyTo).toEqual([{ name: '', address: 'help@zenith.test' }])
    expect(mail.html).toContain('cid:logo@brand')
    expect(mail.html).toContain('alt="Zenith &#38; Co"')
    expect(mail.html).toContain(`background:${brandColours('#c026d3', 'light').accent};`)
    expect(mail.attachments).toMatchObject([
      { mimeType: 'image/png', contentId: '<logo@brand>', disposition: 'inline' },
    ])
  })

  it('calls the product by the name of the company in both languages [GV-06]', async () => {
    const house = await aCompany(app)
    await aBrand(app, house, { name: 'Zenith' })
    const invited = await app.http.inject({
      method: 'POST',
      url: '/api/v1/admin/invitations',
      headers: (await aUser(app, { role: 'company_admin', companyId: house })).headers,
      payload: { company_id: house, role: 'member', emails: ['guest@zenith.test'] },
    })
    expect(invited.statusCode, invited.payload).toBeLessThan(300)
    await expect.poll(() => smtp.said(), { timeout: 15_000 }).toContain('Subject: Your invitation to Zenith')
  })

  it('invites people from outside without a name that looks like a link [GV-06]', async () => {
    const house = await aCompany(app)
    await aBrand(app, house, { name: 'Pay https://evil.test', senderName: 'Zenith' })
    const email = 'outsider@zenith.test'
    await app.http.inject({
      method: 'POST',
      url: '/api/v1/admin/invitations',
      headers: (await aUser(app, { role: 'company_admin', companyId: house })).headers,
      payload: { company_id: house, role: 'member', emails: [email] },
    })
    const { subject, html, text, from } = await readMail(email)
    expect(subject).toBe('Your invitation to Atrium')
    expect(`${html}${text}`).not.toContain('evil.test')
    expect(from?.name).toBe('Zenith')
  })

  it('keeps the address of the installation unless the domain is verified for the company [GV-06]', async () => {
    const house = await aCompany(app)
    const domain = await aVerifiedDomain(app, house)
    await aBrand(app, house, { name: 'Zenith', senderAddress: `no-reply@${domain}` })
    expect((await mailTo((await aPerson(house)).email)).from).toEqual({
      name: 'Zenith',
      address: `no-reply@${domain}`,
    })
    await sql`delete from company_domains where company_id = ${house}`.execute(app.deps.db)
    expect((await mailTo((await aPerson(house)).email)).from).toEqual({
      name: 'Zenith',
      address: 'mails@server.test',
    })
  })

  it('may be sent from an address of a verified domain only [GV-06]', async () => {
    const house = await aCompany(app)
    const { headers } = await aUser(app, { role: 'company_admin', companyId: house })
    const set = (sender_address: string) => {
      const payload = { name: null, accent: null, sender_name: null, sender_address, reply_to: null }
      return app.http.inject({
        method: 'PUT',
        url: `/api/v1/admin/companies/${house}/brand`,
        headers,
        payload,
      })
    }
    const foreign = await aVerifiedDomain(app, await aCompany(app))
    const refused = await set(`a@${foreign}`)
    expect(refused.statusCode).toBe(422)
    expect(refused.json()).toMatchObject({ errors: [{ path: 'sender_address' }] })
    expect((await set(`a@${await aVerifiedDomain(app, house)}`)).statusCode).toBe(200)
  })

  it('is plain for people of other companies [GV-06]', async () => {
    const mail = await mailTo((await aPerson(await aCompany(app))).email)
    expect(mail.from).toEqual({ name: 'Atrium', address: 'mails@server.test' })
    expect(mail.attachments).toEqual([])
    expect(mail.replyTo).toBeUndefined()
    expect(mail.html).toContain('background:#1f2937')
  })
})

it('wearLook changes only what the page wrote, and keeps the reply address of a mail [GV-06]', async () => {
  const house = await aCompany(app)
  await aBrand(app, house, { name: 'Zenith', accent: '#c026d3', replyTo: 'help@zenith.test' })
  const written = '<div data-part="head"></div> data-part="button" style="background:#1f2937"'
  const html = page([button(written, 'https://a.test'), button('Open', 'https://a.test')])
  const headers = { 'Reply-To': 'assistant@server.test' }
  const look = await findMailLook(app.deps.db, { companyId: house })
  const mail = wearLook(look, { to: 'a@b.test', subject: 'A', text: 'A', html, headers })
  expect(mail).not.toHaveProperty('replyTo')
  expect(mail.html.match(/Zenith/g)).toHaveLength(1)
  expect(mail.html).toContain(
    '&#60;div data-part=&#34;head&#34;&#62;&#60;/div&#62; data-part=&#34;button&#34;',
  )
  expect(mail.html.match(new RegExp(brandColours('#c026d3', 'light').accent, 'g'))).toHaveLength(2)
  expect(await findMailLook(app.deps.db, { companyId: await aCompany(app) })).toBeNull()
})

it.each([
  ['a@b.test', { name: 'Z', address: null }, { name: 'Z', address: 'a@b.test' }],
  ['Atrium <a@b.test>', { name: null, address: 'c@d.test' }, { name: 'Atrium', address: 'c@d.test' }],
  ['"At, rium" <a@b.test>', { name: null, address: 'c@d.test' }, { name: 'At, rium', address: 'c@d.test' }],
  ['Atrium <a@b.test>', { name: null, address: null }, 'Atrium <a@b.test>'],
] as const)('the sender %s becomes that of the company as far as it names one', (from, sender, expected) => {
  expect(senderOf(from, { sender })).toEqual(expected)
})
