import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createMailer } from './mail.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-mail-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const mail = {
  to: 'ada@example.com',
  subject: 'Prouvez\r\nBcc: evil@example.com',
  text: 'Bonjour',
  html: '<p>Bonjour</p>',
}

describe('mail', () => {
  it('lands in the outbox without SMTP, readable by its owner only', async () => {
    const mailer = createMailer({ SMTP_URL: undefined, MAIL_FROM: 'Atrium <a@example.com>', dataDir: folder })
    await mailer.send(mail)
    const [name = ''] = readdirSync(join(folder, 'outbox'))
    const path = join(folder, 'outbox', name)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toContain(
      'To: ada@example.com\nSubject: Prouvez Bcc: evil@example.com\n',
    )
    expect(mailer.isConfigured).toBe(false)
  })

  it('goes out over SMTP when it is configured', async () => {
    const server = await startSmtpServer()
    const mailer = createMailer({
      SMTP_URL: server.url,
      MAIL_FROM: 'Atrium <a@example.com>',
      dataDir: folder,
    })
    await mailer.send(mail)
    expect(mailer.isConfigured).toBe(true)
    expect(server.said()).toContain('RCPT TO:<ada@example.com>')
    expect(server.said()).toContain('Bonjour')
    expect(server.said()).not.toMatch(/^Bcc:/m)
    server.close()
  })
})

/** Just enough of RFC 5321 to take one mail. */
async function startSmtpServer() {
  let said = ''
  const server = createServer((socket) => {
    let inData = false
    socket.write('220 test\r\n')
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const text = chunk.toString()
      said += text
      for (const line of text.split('\r\n').filter(Boolean)) {
        if (inData && line !== '.') continue
        if (line === 'DATA') socket.write('354 go on\r\n')
        else socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
        inData = line === 'DATA'
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    said: () => said,
    close: () => server.close(),
  }
}
