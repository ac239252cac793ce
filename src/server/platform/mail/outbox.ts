import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mailer } from './mail-port.ts'
import { senderOf } from './sender-of.ts'

/** Writes mails to files that only this user may read, because mails contain sign-in links. */
export function createOutbox(folder: string, from: string): Pick<Mailer, 'send' | 'check' | 'forget'> {
  return {
    send: async (mail) => {
      const { to, subject, text, headers = {}, replyTo } = mail
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const date = new Date()
      const sender = senderOf(from, mail)
      const shown = typeof sender === 'string' ? sender : `${sender.name} <${sender.address}>`.trim()
      const head = [`From: ${shown}`, `To: ${to}`, `Subject: ${subject}`, `Date: ${date.toUTCString()}`]
      if (replyTo) head.push(`Reply-To: ${replyTo}`)
      head.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
      const content = `${head.map(oneLine).join('\n')}\n\n${text}\n`
      const path = join(folder, `${date.toISOString().replaceAll(':', '')}-${randomUUID().slice(0, 8)}.txt`)
      await writeFile(`${path}.draft`, content, { mode: 0o600, flush: true })
      await rename(`${path}.draft`, path)
    },
    check: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await access(folder, constants.W_OK)
    },
    forget: async (address) => {
      let removed = 0
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name)
        if (!(await readFile(path, 'utf8').catch(() => '')).includes(`\nTo: ${oneLine(address)}\n`)) continue
        await rm(path, { force: true })
        removed++
      }
      return removed
    },
  }
}

function oneLine(header: string): string {
  return header.replace(/[\r\n]+/g, ' ')
}
