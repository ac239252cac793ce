import { type AddressInfo, createServer, type Socket } from 'node:net'

type Mail = { uid: number; raw: string }

/** A mail provider: SMTP that delivers, and IMAP with folders. Both answer only what a mail program of a person needs. */
export type MailboxWorld = {
  smtpPort: number
  imapPort: number
  password: string
  /** Mails that were accepted, in order. */
  delivered: { to: string[]; raw: string }[]
  folders: Map<string, Mail[]>
  /** Commands of all clients, without their tags and passwords. */
  said: string[]
  /**
   * Called with each command and each accepted mail before (`mail`) and after (`accepted`) it is delivered. It returns true to cut the
   * connection there, or waits.
   */
  cuts: (point: string) => boolean | Promise<boolean>
  add: (folder: string, raw: string) => number
  settings: (address: string) => Record<string, unknown>
  close: () => Promise<void>
}

export async function startMailboxWorld(): Promise<MailboxWorld> {
  const sockets = new Set<Socket>()
  const listen = async (onSocket: (socket: Socket) => void) => {
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
      onSocket(socket)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return server
  }
  const smtp = await listen((socket) => serveSmtp(world, socket))
  const imap = await listen((socket) => serveImap(world, socket))
  const world: MailboxWorld = {
    smtpPort: (smtp.address() as AddressInfo).port,
    imapPort: (imap.address() as AddressInfo).port,
    ...{ password: 'sesame', delivered: [], said: [], cuts: () => false },
    folders: new Map([
      ['INBOX', []],
      ['Sent', []],
      ['Archive', []],
    ]),
    add: (folder, raw) => {
      const mails = world.folders.get(folder) ?? []
      world.folders.set(folder, mails)
      const uid = (mails.at(-1)?.uid ?? 0) + 1
      mails.push({ uid, raw })
      return uid
    },
    settings: (address) => ({
      ...{ address, name: 'Ada', username: address, password: world.password },
      ...{ imap_host: '127.0.0.1', imap_port: world.imapPort, imap_security: 'starttls' },
      ...{ smtp_host: '127.0.0.1', smtp_port: world.smtpPort, smtp_security: 'starttls' },
    }),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await Promise.all([smtp, imap].map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
  return world
}

/** Reads lines one after the other, so that a waiting answer keeps its place. */
function readLines(socket: Socket, onLine: (line: string) => Promise<void> | void) {
  let rest = ''
  let tail = Promise.resolve()
  socket.on('data', (chunk) => {
    rest += chunk.toString('latin1')
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 2)
      tail = tail.then(() => onLine(line))
    }
  })
}

function serveSmtp(world: MailboxWorld, socket: Socket): void {
  let to: string[] = []
  let data: string[] | null = null
  socket.write('220 world\r\n')
  readLines(socket, async (line) => {
    if (data && line !== '.') return void data.push(line.replace(/^\./, ''))
    const cut = async (point: string) => {
      if (!(await world.cuts(point))) return false
      socket.destroy()
      return true
    }
    if (data) {
      const raw = data.join('\r\n')
      data = null
      if (await cut('mail')) return
      world.delivered.push({ to, raw })
      if (await cut('accepted')) return
      to = []
      return void socket.write('250 accepted\r\n')
    }
    if (await cut(`smtp ${line.split(' ')[0]}`)) return
    if (line.startsWith('EHLO')) return void socket.write('250-world\r\n250 AUTH PLAIN\r\n')
    if (line.startsWith('AUTH')) {
      const [, , password = ''] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .split('\0')
      return void socket.write(password === world.password ? '235 in\r\n' : '535 wrong\r\n')
    }
    const [, address = ''] = /^RCPT TO:<([^>]*)>/.exec(line) ?? []
    if (address) to.push(address)
    if (line === 'DATA') {
      data = []
      return void socket.write('354 go on\r\n')
    }
    socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
  })
}

const unquote = (text = '') => text.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1')
const CAPABILITIES = 'IMAP4rev1 SPECIAL-USE MOVE UIDPLUS'

function serveImap(world: MailboxWorld, socket: Socket): void {
  let folder = ''
  let literal: { tag: string; folder: string; left: number; lines: string[] } | null = null
  socket.write(`* OK [CAPABILITY ${CAPABILITIES}] ready\r\n`)
  readLines(socket, async (line) => {
    if (literal) {
      literal.lines.push(line)
      literal.left -= line.length + 2
      if (literal.left > -2) return
      const { tag, folder: into, lines } = literal
      literal = null
      world.add(into, lines.join('\r\n').trimEnd())
      return void socket.write(`${tag} OK appended\r\n`)
    }
    const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? []
    const [, name = '', rest = ''] = /^(?:UID )?(\S+) ?(.*)$/.exec(command) ?? []
    world.said.push(name === 'LOGIN' ? name : command)
    if (await world.cuts(`imap ${name}`)) return void socket.destroy()
    const ok = (text = 'done') => socket.write(`${tag} OK ${text}\r\n`)
    const mails = world.folders.get(folder) ?? []
    switch (name) {
      case 'LOGIN':
        if (!rest.includes(world.password))
          return void socket.write(`${tag} NO [AUTHENTICATIONFAILED] wrong\r\n`)
        return void ok(`[CAPABILITY ${CAPABILITIES}] in`)
      case 'LIST': {
        if (rest.endsWith('""')) {
          socket.write('* LIST (\\Noselect) "/" ""\r\n')
          return void ok()
        }
        for (const one of world.folders.keys())
          socket.write(`* LIST (${one === 'Sent' ? '\\Sent' : '\\HasNoChildren'}) "/" "${one}"\r\n`)
        return void ok()
      }
      case 'SELECT':
      case 'EXAMINE': {
        const wanted = unquote(rest)
        if (!world.folders.has(wanted)) return void socket.write(`${tag} NO [NONEXISTENT] none\r\n`)
        folder = wanted
        const count = world.folders.get(folder)?.length ?? 0
        socket.write(
          `* FLAGS (\\Seen)\r\n* ${count} EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 99] ok\r\n`,
        )
        return void ok(name === 'SELECT' ? '[READ-WRITE] open' : '[READ-ONLY] open')
      }
      case 'SEARCH': {
        const found = mails.filter(({ raw }) => matches(raw, rest)).map(({ uid }) => uid)
        socket.write(`* SEARCH${found.map((uid) => ` ${uid}`).join('')}\r\n`)
        return void ok()
      }
      case 'FETCH': {
        const uids = new Set((rest.split(' ')[0] ?? '').split(',').flatMap(rangeOf))
        for (const [at, mail] of mails.entries())
          if (uids.has(mail.uid)) socket.write(Buffer.from(describe(at + 1, mail, rest), 'latin1'))
        return void ok()
      }
      case 'MOVE': {
        const [uid = '', into = ''] = [rest.split(' ')[0], unquote(rest.slice(rest.indexOf(' ') + 1))]
        const at = mails.findIndex((one) => one.uid === Number(uid))
        const [moved] = at < 0 ? [] : mails.splice(at, 1)
        if (moved) world.add(into, moved.raw)
        if (await world.cuts('moved')) return void socket.destroy()
        if (moved) socket.write(`* ${at + 1} EXPUNGE\r\n`)
        return void ok()
      }
      case 'APPEND': {
        const [, into = '', size = ''] = /^("[^"]*"|\S+) .*\{(\d+)\}$/.exec(rest) ?? []
        literal = { tag, folder: unquote(into), left: Number(size), lines: [] }
        return void socket.write('+ go on\r\n')
      }
      case 'LOGOUT':
        socket.write('* BYE bye\r\n')
        ok()
        return void socket.end()
      default:
        return void ok()
    }
  })
}

function rangeOf(text: string): number[] {
  const [from = 0, to = from] = text.split(':').map(Number)
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

function matches(raw: string, query: string): boolean {
  const [, header = '', value = ''] = /HEADER "?([\w-]+)"? "?([^"]*)"?/i.exec(query) ?? []
  if (header) return new RegExp(`^${header}: .*$`, 'im').exec(raw)?.[0].includes(value) ?? false
  const [, key = '', words = ''] = /(TEXT|FROM|SUBJECT) "?([^"]*)"?/i.exec(query) ?? []
  if (key === '' || /text/i.test(key)) return raw.toLowerCase().includes(words.toLowerCase())
  return (lineOf(raw, key) ?? '').toLowerCase().includes(words.toLowerCase())
}

const lineOf = (raw: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(raw.split('\r\n\r\n', 1)[0] ?? '')?.[1]
const literalOf = (text: string | undefined) =>
  text === undefined ? 'NIL' : `{${Buffer.byteLength(text, 'latin1')}}\r\n${text}`

function peopleOf(raw: string, name: string): string {
  const [, local, domain] = /([^\s<@]+)@([^\s>]+)/.exec(lineOf(raw, name) ?? '') ?? []
  return local === undefined ? 'NIL' : `((NIL NIL ${literalOf(local)} ${literalOf(domain)}))`
}

function describe(number: number, { uid, raw }: Mail, query: string): string {
  const items = [`UID ${uid}`]
  if (query.includes('ENVELOPE')) {
    const [from, to] = [peopleOf(raw, 'From'), peopleOf(raw, 'To')]
    const head = `${literalOf(lineOf(raw, 'Date'))} ${literalOf(lineOf(raw, 'Subject'))}`
    items.push(`ENVELOPE (${head} ${from} NIL NIL ${to} NIL NIL NIL ${literalOf(lineOf(raw, 'Message-ID'))})`)
  }
  if (/BODY\.PEEK\[HEADER\.FIELDS/.test(query)) {
    const found = lineOf(raw, 'References')
    const text = `${found === undefined ? '' : `References: ${found}\r\n`}\r\n`
    items.push(`BODY[HEADER.FIELDS (REFERENCES)] {${text.length}}\r\n${text}`)
  } else if (query.includes('BODY.PEEK[]')) items.push(`BODY[]<0> {${raw.length}}\r\n${raw}`)
  return `* ${number} FETCH (${items.join(' ')})\r\n`
}
