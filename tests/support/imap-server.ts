import { type AddressInfo, createServer, type Socket } from 'node:net'

type Stored = { uid: number; bytes: Buffer; isSeen: boolean }

/** Implements just enough of IMAP4rev1 (RFC 3501) with IDLE to read and flag the mails of one folder. */
export type ImapServer = Awaited<ReturnType<typeof startImapServer>>

export async function startImapServer({ port = 0 } = {}) {
  const mails: Stored[] = []
  const clients = new Set<Socket>()
  /** Commands of all clients, without their tags. */
  const said: string[] = []
  let refusal: string | null = null
  let mostAtOnce = 0
  const server = createServer((socket) => {
    clients.add(socket)
    mostAtOnce = Math.max(mostAtOnce, clients.size)
    socket.on('error', () => undefined)
    socket.on('close', () => clients.delete(socket))
    socket.write('* OK [CAPABILITY IMAP4rev1 IDLE] ready\r\n')
    let rest = ''
    let idleTag = ''
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1')
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (line === 'DONE') {
          socket.write(`${idleTag} OK done\r\n`)
          continue
        }
        const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? []
        said.push(command)
        if (command === 'IDLE') idleTag = tag
        answer(socket, tag, command)
      }
    })
  })
  const answer = (socket: Socket, tag: string, command: string) => {
    const [name = '', ...args] = command.replace(/^UID /, '').split(' ')
    const ok = (text = 'done') => socket.write(`${tag} OK ${text}\r\n`)
    switch (name) {
      case 'LOGIN':
        if (refusal !== null) return socket.write(`${tag} NO [AUTHENTICATIONFAILED] ${refusal}\r\n`)
        return ok('[CAPABILITY IMAP4rev1 IDLE] in')
      case 'LIST':
        socket.write('* LIST (\\HasNoChildren) "/" INBOX\r\n')
        return ok()
      case 'SELECT':
        socket.write(`* FLAGS (\\Seen)\r\n* ${mails.length} EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n`)
        return ok('[READ-WRITE] open')
      case 'SEARCH':
        socket.write(
          `* SEARCH ${mails
            .filter(({ isSeen }) => !isSeen)
            .map(({ uid }) => uid)
            .join(' ')}\r\n`,
        )
        return ok()
      case 'FETCH':
        fetchOne(socket, Number(args[0]), command)
        return ok()
      case 'STORE':
        for (const mail of mails) if (mail.uid === Number(args[0])) mail.isSeen = true
        socket.write(`* ${args[0]} FETCH (UID ${args[0]} FLAGS (\\Seen))\r\n`)
        return ok()
      case 'IDLE':
        return socket.write('+ idling\r\n')
      case 'LOGOUT':
        socket.write('* BYE\r\n')
        ok()
        return socket.end()
      default:
        return ok()
    }
  }
  const fetchOne = (socket: Socket, uid: number, command: string) => {
    const at = mails.findIndex((one) => one.uid === uid)
    const mail = mails[at]
    if (!mail) return
    const [, from, most] = /BODY\.PEEK\[\]<(\d+)\.(\d+)>/.exec(command) ?? []
    const part = mail.bytes.subarray(Number(from ?? 0), Number(from ?? 0) + Number(most ?? mail.bytes.length))
    socket.write(
      `* ${at + 1} FETCH (UID ${uid} RFC822.SIZE ${mail.bytes.length} BODY[]<0> {${part.length}}\r\n`,
    )
    socket.write(part)
    socket.write(')\r\n')
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    /** Address with a user name and a password. */
    url: `imap://reader:secret@127.0.0.1:${(server.address() as AddressInfo).port}/INBOX`,
    /** Puts a mail into the folder and announces it. Returns its number. */
    deliver(mail: string | Buffer): number {
      const uid = mails.length + 1
      mails.push({ uid, bytes: Buffer.from(mail), isSeen: false })
      for (const client of clients) client.write(`* ${mails.length} EXISTS\r\n`)
      return uid
    },
    unseen: () => mails.filter(({ isSeen }) => !isSeen).map(({ uid }) => uid),
    /** Makes mails unread again. */
    forgetFlags: () => {
      for (const mail of mails) mail.isSeen = false
    },
    said: () => said,
    /** The largest number of clients at one time. */
    mostAtOnce: () => mostAtOnce,
    /** Refuses sign-ins with a text; null accepts them again. */
    refuse: (text: string | null) => {
      refusal = text
    },
    /** Cuts all connections. */
    cut: () => {
      for (const client of clients) client.destroy()
    },
    async close() {
      for (const client of clients) client.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Parts = {
  to: string
  from?: string
  subject?: string
  id?: string
  text?: string
  html?: string
  headers?: string[]
  attachments?: { name: string; type?: string; content: string | Buffer }[]
}

/** Writes a mail as a mail program sends it. */
export function aMail({ to, from = 'ada@example.com', subject = 'Offer', ...mail }: Parts): string {
  const { id = `${crypto.randomUUID()}@example.com`, text, html, headers = [], attachments = [] } = mail
  const head = [...headers, `From: ${from}`, `To: ${to}`, `Subject: ${subject}`, `Message-ID: <${id}>`]
  const body = [
    ...(html === undefined || text !== undefined ? [part('text/plain', text ?? 'Please check this.')] : []),
    ...(html === undefined ? [] : [part('text/html', html)]),
    ...attachments.map(({ name, type = 'text/plain', content }) =>
      [
        `Content-Type: ${type}; name="${name}"`,
        `Content-Disposition: attachment; filename="${name}"`,
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from(content)
          .toString('base64')
          .replace(/(.{76})/g, '$1\r\n'),
      ].join('\r\n'),
    ),
  ]
  const boundary = 'part-of-the-mail'
  return [
    ...[...head, 'MIME-Version: 1.0', `Content-Type: multipart/mixed; boundary="${boundary}"`, ''],
    ...body.flatMap((one) => [`--${boundary}`, one]),
    `--${boundary}--`,
    '',
  ].join('\r\n')
}

function part(type: string, text: string): string {
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}`
}
