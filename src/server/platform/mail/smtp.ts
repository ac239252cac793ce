import type { Transporter, TransportOptions } from 'nodemailer'
import type { Mail, Mailer, MailServer } from './mail-port.ts'
import { senderOf } from './sender-of.ts'

const patienceMs = 15_000
const patience = { connectionTimeout: patienceMs, greetingTimeout: patienceMs, socketTimeout: patienceMs }

/** Sends mail through the server of a URL. The library loads with the first mail. */
export function createSmtp(url: string, from: string): Pick<Mailer, 'send' | 'check'> {
  let transport: Promise<Transporter> | null = null
  return {
    send: async (mail) => {
      transport ??= open({ url })
      await (await transport).sendMail(messageOf(from, mail))
    },
    check: async () => {
      transport ??= open({ url })
      await (await transport).verify()
    },
  }
}

/** Sends one mail through a stored server. */
export function sendByServer(server: MailServer, mail: Mail): Promise<void> {
  return withServer(server, (transport) => transport.sendMail(messageOf(server.sender, mail)))
}

/** Checks whether a stored server would accept mail. @throws the server's error */
export function checkServer(server: MailServer): Promise<void> {
  return withServer(server, (transport) => transport.verify())
}

function messageOf(from: string, { sender, pictures = [], ...mail }: Mail) {
  const attachments = pictures.map(({ id, content }) => ({
    ...{ filename: 'logo.png', content, contentType: 'image/png', cid: id },
    contentDisposition: 'inline' as const,
  }))
  return { ...mail, from: senderOf(from, { sender }), ...(attachments.length > 0 && { attachments }) }
}

async function withServer(server: MailServer, act: (transport: Transporter) => Promise<unknown>) {
  const { host, port, security, username, password } = server
  const transport = await open({
    ...{ host, port },
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(username ? { auth: { user: username, pass: password ?? '' } } : {}),
  })
  try {
    await act(transport)
  } finally {
    transport.close()
  }
}

async function open(where: object): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({ ...where, ...patience } as TransportOptions)
}
