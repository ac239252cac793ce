import { type AddressInfo, createServer, type Socket } from 'node:net'

/** `omits` tells what the answer about it lacks: everything, its size, or its time. */
type Mail = {
  uid: number
  raw: Buffer
  flags: string[]
  date: string
  omits?: 'description' | 'size' | 'time' | undefined
}
/** State of a client: the folder that it opened, and the tag of its IDLE. */
type State = { folder: Folder | null; idle: string | null }
type Folder = { uidValidity: number; next: number; uses: string; mails: Mail[] }

/** A mail server with folders (RFC 3501 with SPECIAL-USE and IDLE), which only answers what a reader needs. */
export type MailFoldersServer = {
  port: number
  password: string
  folders: Map<string, Folder>
  /** Commands of all clients, without their tags and passwords. */
  said: string[]
  /** Returns a whole response to a command instead of its answer; null to answer it. `{tag}` is replaced. */
  fault: (command: string) => string | null
  /** Text to greet a client with before its connection ends; null to serve it. */
  goodbye: string | null
  add: (folder: string, raw: string, more?: Partial<Omit<Mail, 'raw'>>) => number
  addFolder: (name: string, uses?: string) => Folder
  remove: (folder: string, uid: number) => void
  close: () => Promise<void>
}

export async function startMailFoldersServer(): Promise<MailFoldersServer> {
  const clients = new Set<Socket>()
  const idling = new Map<Socket, State>()
  const tell = (folder: Folder, line: string) => {
    for (const [socket, state] of idling)
      if (state.idle !== null && state.folder === folder) socket.write(`* ${line}\r\n`)
  }
  const server = createServer((socket) => {
    clients.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clients.delete(socket)
      idling.delete(socket)
    })
    if (mail.goodbye !== null) return socket.end(`* BYE ${mail.goodbye}\r\n`)
    socket.write('* OK [CAPABILITY IMAP4rev1 SPECIAL-USE IDLE] ready\r\n')
    const state: State = { folder: null, idle: null }
    idling.set(socket, state)
    let rest = ''
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1')
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? []
        rest = rest.slice(end + 2)
        if (line === 'DONE') {
          socket.write(`${state.idle} OK done\r\n`)
          state.idle = null
          continue
        }
        if (command === 'IDLE') state.idle = tag
        mail.said.push(command.startsWith('LOGIN') ? 'LOGIN' : command)
        const answer = mail.fault(command) ?? answerTo(mail, state, command)
        socket.write(Buffer.from(answer.replaceAll('{tag}', tag), 'latin1'))
        if (command === 'LOGOUT') socket.end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const mail: MailFoldersServer = {
    ...{ port: (server.address() as AddressInfo).port, password: 'sesame', folders: new Map(), said: [] },
    ...{ fault: () => null, goodbye: null },
    addFolder: (name, uses = '') => {
      const folder = { uidValidity: 1, next: 1, uses, mails: [] }
      mail.folders.set(name, folder)
      return folder
    },
    add: (name, raw, { flags = [], date = '02-Nov-2026 10:00:00 +0000', omits } = {}) => {
      const folder = mail.folders.get(name) ?? mail.addFolder(name)
      const uid = folder.next
      folder.next += 1
      folder.mails.push({ uid, raw: Buffer.from(raw), flags, date, omits })
      tell(folder, `${folder.mails.length} EXISTS`)
      return uid
    },
    remove: (name, uid) => {
      const folder = mail.folders.get(name)
      if (folder) folder.mails = folder.mails.filter((one) => one.uid !== uid)
    },
    close: async () => {
      for (const client of clients) client.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return mail
}

const unquote = (text: string) => text.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1')

function answerTo(mail: MailFoldersServer, state: State, command: string): string {
  const [, name = '', rest = ''] = /^(?:UID )?(\S+) ?(.*)$/.exec(command) ?? []
  switch (name) {
    case 'LOGIN':
      return rest.endsWith(mail.password) || rest.endsWith(`"${mail.password}"`)
        ? '{tag} OK [CAPABILITY IMAP4rev1 SPECIAL-USE IDLE] in\r\n'
        : '{tag} NO [AUTHENTICATIONFAILED] wrong\r\n'
    case 'LIST': {
      const wanted = unquote(/(\S+|"[^"]*")$/.exec(rest)?.[0] ?? '')
      if (wanted === '') return '* LIST (\\Noselect) "/" ""\r\n{tag} OK done\r\n'
      const found = [...mail.folders].filter(([folder]) => wanted === '*' || wanted === folder)
      const lines = found.map(([folder, { uses }]) => `* LIST (${uses}) "/" "${folder}"\r\n`)
      return `${lines.join('')}{tag} OK done\r\n`
    }
    case 'EXAMINE': {
      state.folder = mail.folders.get(unquote(rest)) ?? null
      if (!state.folder) return '{tag} NO [NONEXISTENT] no such folder\r\n'
      const { mails, uidValidity, next } = state.folder
      const lines = [
        `${mails.length} EXISTS`,
        `OK [UIDVALIDITY ${uidValidity}] ok`,
        `OK [UIDNEXT ${next}] ok`,
      ]
      return `* FLAGS (\\Seen \\Flagged)\r\n${lines.map((line) => `* ${line}\r\n`).join('')}{tag} OK [READ-ONLY] open\r\n`
    }
    case 'FETCH':
      return state.folder ? fetchMails(state.folder, command) : '{tag} BAD no folder\r\n'
    case 'IDLE':
      return '+ idling\r\n'
    case 'LOGOUT':
      return '* BYE bye\r\n{tag} OK done\r\n'
    case 'SELECT':
    case 'STORE':
    case 'EXPUNGE':
    case 'APPEND':
      return '{tag} NO this server is only read\r\n'
    default:
      return '{tag} OK done\r\n'
  }
}

function fetchMails({ mails }: Folder, command: string): string {
  const [, from = '', to = from] = /FETCH (\d+)(?::(\d+))?/.exec(command) ?? []
  const isUid = command.startsWith('UID ')
  const lines = mails.flatMap((mail, index) => {
    const number = isUid ? mail.uid : index + 1
    if (number < Number(from) || number > Number(to)) return []
    if (mail.omits === 'description' && command.includes('ENVELOPE')) return []
    return `* ${index + 1} FETCH (${itemsOf(mail, command).join(' ')})\r\n`
  })
  return `${lines.join('')}{tag} OK done\r\n`
}

function itemsOf({ uid, raw, flags, date, omits }: Mail, command: string): string[] {
  const items = [`UID ${uid}`]
  if (command.includes('FLAGS')) items.push(`FLAGS (${flags.join(' ')})`)
  if (command.includes('RFC822.SIZE') && omits !== 'size') items.push(`RFC822.SIZE ${raw.length}`)
  if (command.includes('INTERNALDATE') && omits !== 'time') items.push(`INTERNALDATE "${date}"`)
  if (command.includes('ENVELOPE')) items.push(`ENVELOPE ${envelopeOf(raw)}`)
  const [, start, most] = /BODY\.PEEK\[\]<(\d+)\.(\d+)>/.exec(command) ?? []
  if (start !== undefined) {
    const part = raw.subarray(Number(start), Number(start) + Number(most))
    items.push(`BODY[]<${start}> {${part.length}}\r\n${part.toString('latin1')}`)
  }
  return items
}

/** Writes a text as a literal, which may hold any character. */
const literal = (text: string | undefined) =>
  text === undefined ? 'NIL' : `{${Buffer.byteLength(text, 'latin1')}}\r\n${text}`

function envelopeOf(raw: Buffer): string {
  const head = raw.toString('latin1').split('\r\n\r\n', 1)[0] ?? ''
  const lineOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]
  const [local = '', domain = ''] = (lineOf('From') ?? '').split('@')
  const from = `((NIL NIL ${literal(local)} ${literal(domain)}))`
  const subject = literal(lineOf('Subject'))
  return `(${literal(lineOf('Date'))} ${subject} ${from} NIL NIL NIL NIL NIL NIL ${literal(lineOf('Message-ID'))})`
}
