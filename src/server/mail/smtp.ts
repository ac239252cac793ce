import type { Transporter } from 'nodemailer'
import type { Mailer } from './port.ts'

const patienceMs = 15_000

/** Mail over SMTP; the library loads with the first mail. */
export function createSmtp(url: string, from: string): Mailer {
  let transport: Promise<Transporter> | null = null
  return {
    isConfigured: true,
    send: async (mail) => {
      transport ??= open(url)
      await (await transport).sendMail({ from, ...mail })
    },
  }
}

async function open(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
  })
}
