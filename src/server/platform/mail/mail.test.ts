import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startSmtpServer } from '#tests/smtp-server.ts'
import { createMailer } from './mail.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-mail-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const without = { SMTP_URL: undefined, MAIL_FROM: 'Atrium <a@example.com>', dataDir: folder }
const none = { read: async () => null, host: async () => null }
const mail = {
  to: 'ada@example.com',
  subject: 'Prouvez\r\nBcc: evil@example.com',
  text: 'Bonjour',
  html: '<p>Bonjour</p>',
}

describe('mail', () => {
  it('is written to the outbox without SMTP, readable only by its owner', async () => {
    const mailer = createMailer(without, none)
    await mailer.send(mail)
    const [name = ''] = readdirSync(join(folder, 'outbox'))
    const path = join(folder, 'outbox', name)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toContain(
      'To: ada@example.com\nSubject: Prouvez Bcc: evil@example.com\n',
    )
    expect(await mailer.host()).toBe(null)
  })

  it('is sent over SMTP if that is configured', async () => {
    const server = await startSmtpServer()
    const mailer = createMailer({ ...without, SMTP_URL: server.url }, none)
    await mailer.send(mail)
    expect(await mailer.host()).toBe(new URL(server.url).host)
    expect(server.said()).toContain('RCPT TO:<ada@example.com>')
    expect(server.said()).toContain('Bonjour')
    expect(server.said()).not.toMatch(/^Bcc:/m)
    server.close()
  })
})
