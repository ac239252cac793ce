import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>
type Mail = { to: string[]; subject: string; raw?: string }

/** The effects that a service had, which a test compares and restores. */
export type ServiceState = {
  /** Mails that left, by the id of their draft or message. */
  sent: Mail[]
  drafts: [string, Mail][]
  /** Events by id, with their text or JSON, and the guests that were invited. */
  events: [string, { text: string; guests: string[] }][]
  tickets: { key: string; title: string; call: string }[]
  /** Folder of each stored mail. */
  folders: [string, string][]
  next: number
}

export const emptyState = (): ServiceState => ({
  ...{ sent: [], drafts: [], events: [], tickets: [], folders: [['m1', 'inbox']], next: 1 },
})

/**
 * CalDAV, Gmail, Google Calendar, Microsoft Graph and Jira, as far as the product calls them, after their public documentation: RFC 4791, Gmail
 * API v1, Calendar API v3, Graph v1.0 and the Jira Cloud platform v3.
 */
export type ServiceWorld = {
  url: string
  state: ServiceState
  /** Method and path of all requests, with the account that their token or sign-in names. */
  asked: { call: string; by: string; body: string; headers: IncomingMessage['headers'] }[]
  /** Called before (`before`) and after (`after`) a request takes effect. It returns true to cut the connection there. */
  cuts: (point: string, call: string) => boolean | Promise<boolean>
  invites: boolean
  /** The address of the calendar that the CalDAV server names. */
  calendar: string
  close: () => Promise<void>
}

export async function startServiceWorld(): Promise<ServiceWorld> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const call = `${request.method} ${request.url}`
    world.asked.push({ call, by: request.headers.authorization ?? '', body, headers: request.headers })
    if (await world.cuts('before', call)) return void response.destroy()
    const { status, json, text, headers = {} } = answerTo(world, request, body)
    if (await world.cuts('after', call)) return void response.destroy()
    response.writeHead(status, {
      'content-type': json === undefined ? 'text/plain' : 'application/json',
      ...headers,
    })
    response.end(json === undefined ? (text ?? '') : JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const world: ServiceWorld = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ state: emptyState(), asked: [], cuts: () => false, invites: true, calendar: '/dav/ada/all/work/' },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return world
}

type Reply = { status: number; json?: unknown; text?: string; headers?: Record<string, string> }

function answerTo(world: ServiceWorld, request: IncomingMessage, body: string): Reply {
  const url = new URL(request.url ?? '', world.url)
  const [method, path] = [request.method ?? '', decodeURIComponent(url.pathname)]
  if (path.startsWith('/dav')) return answerDav(world, { method, path, body, headers: request.headers })
  if (!/^Bearer ./.test(request.headers.authorization ?? '')) return { status: 401, json: {} }
  const given = body === '' ? {} : (JSON.parse(body) as Json)
  if (path.startsWith('/gmail/v1/users/me'))
    return answerGmail(world, method, path.slice('/gmail/v1/users/me'.length), given)
  if (path.startsWith('/calendar/v3')) return answerGoogleCalendar(world, method, path, given)
  if (path.startsWith('/v1.0/me')) return answerGraph(world, method, path.slice('/v1.0/me'.length), given)
  return answerJira(world, method, path, given)
}

const notFound: Reply = { status: 404, json: { error: { message: 'Not found' } } }

type Dav = { method: string; path: string; body: string; headers: IncomingMessage['headers'] }

function answerDav({ state, invites, calendar }: ServiceWorld, { method, path, body, headers }: Dav): Reply {
  const sign = `Basic ${Buffer.from('ada:sesame').toString('base64')}`
  if (headers.authorization !== sign) return { status: 401 }
  const events = new Map(state.events)
  const dav = { dav: `1, 3, calendar-access${invites ? ', calendar-auto-schedule' : ''}` }
  const responses = (inner: string): Reply => ({
    ...{ status: 207, headers: dav },
    text: `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${inner}</d:multistatus>`,
  })
  const response = (href: string, prop: string) =>
    `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${prop}</d:prop></d:propstat></d:response>`
  if (method === 'OPTIONS') return { status: 200, headers: dav }
  if (method === 'PROPFIND' && path === '/dav/')
    return responses(
      response('/dav/', '<d:current-user-principal><d:href>/dav/ada/</d:href></d:current-user-principal>'),
    )
  if (method === 'PROPFIND' && path === '/dav/ada/')
    return responses(
      response('/dav/ada/', '<c:calendar-home-set><d:href>/dav/ada/all/</d:href></c:calendar-home-set>'),
    )
  if (method === 'PROPFIND' && path === '/dav/ada/all/')
    return responses(
      response('/dav/ada/all/', '<d:resourcetype><d:collection/></d:resourcetype>') +
        response(calendar, '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>'),
    )
  if (method === 'REPORT')
    return responses(
      state.events
        .map(([id, { text }]) =>
          response(`${path}${id}.ics`, `<c:calendar-data>${escapeXml(text)}</c:calendar-data>`),
        )
        .join(''),
    )
  const id = /\/([^/]+)\.ics$/.exec(path)?.[1] ?? ''
  if (method === 'GET')
    return events.has(id) ? { status: 200, text: events.get(id)?.text ?? '' } : { status: 404 }
  if (method !== 'PUT') return { status: 405 }
  if (headers['if-none-match'] === '*' && events.has(id)) return { status: 412 }
  const guests = [...body.replace(/\r\n /g, '').matchAll(/ATTENDEE[^:]*:mailto:(\S+)/g)].map(
    ([, guest = '']) => guest,
  )
  state.events.push([id, { text: body, guests }])
  return { status: 201 }
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function answerGmail({ state }: ServiceWorld, method: string, path: string, given: Json): Reply {
  const rawOf = (message: unknown) => Buffer.from((message as { raw: string }).raw, 'base64url').toString()
  if (path === '/profile') return { status: 200, json: { emailAddress: 'ada@gmail.test' } }
  if (path === '/labels') return { status: 200, json: { labels: [{ id: 'Label_1', name: 'Archive' }] } }
  if (path === '/messages') return { status: 200, json: { messages: [{ id: 'm1', threadId: 't1' }] } }
  if (path === '/messages/m1/modify') {
    state.folders = [['m1', String((given.addLabelIds as string[])[0])]]
    return { status: 200, json: { id: 'm1', threadId: 't1' } }
  }
  if (path === '/messages/m1') {
    const headers = [
      ...[
        { name: 'From', value: 'Bob <bob@example.org>' },
        { name: 'To', value: 'ada@gmail.test' },
      ],
      ...[
        { name: 'Subject', value: 'Offer' },
        { name: 'Message-ID', value: '<offer@x>' },
      ],
    ]
    const raw = Buffer.from('Subject: Offer\r\n\r\nThe offer is here.').toString('base64url')
    return { status: 200, json: { id: 'm1', threadId: 't1', payload: { headers }, raw } }
  }
  if (path === '/drafts' && method === 'POST') {
    const raw = rawOf(given.message)
    const id = `d${state.next++}`
    const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(raw)?.[1]?.trim() ?? ''
    state.drafts.push([id, { to: line('To').split(/, ?/), subject: line('Subject'), raw }])
    return { status: 200, json: { id, message: { id: `x${id}`, threadId: 't1' } } }
  }
  if (path === '/drafts/send') {
    const at = state.drafts.findIndex(([id]) => id === given.id)
    const [draft] = at < 0 ? [] : state.drafts.splice(at, 1)
    if (!draft) return notFound
    state.sent.push(draft[1])
    return { status: 200, json: { id: 'sent', threadId: 't1' } }
  }
  const [, id = ''] = /^\/drafts\/(.+)$/.exec(path) ?? []
  return state.drafts.some(([one]) => one === id) ? { status: 200, json: { id } } : notFound
}

function answerGoogleCalendar({ state }: ServiceWorld, method: string, path: string, given: Json): Reply {
  const events = new Map(state.events)
  if (method === 'GET' && path.endsWith('/events'))
    return { status: 200, json: { items: state.events.map(([, { text }]) => JSON.parse(text)) } }
  const id = method === 'POST' ? String(given.id) : (path.split('/').at(-1) ?? '')
  if (method === 'GET') return events.has(id) ? { status: 200, json: { id } } : notFound
  if (!/^[0-9a-v]{5,1024}$/.test(id))
    return { status: 400, json: { error: { message: 'Invalid resource id value.' } } }
  if (events.has(id))
    return { status: 409, json: { error: { message: 'The requested identifier already exists.' } } }
  const guests = ((given.attendees as { email: string }[]) ?? []).map(({ email }) => email)
  state.events.push([id, { text: JSON.stringify(given), guests }])
  return { status: 200, json: given }
}

type GraphPeople = { emailAddress: { address: string } }[]
const addressesOf = (people: unknown) =>
  ((people as GraphPeople) ?? []).map(({ emailAddress }) => emailAddress.address)

function answerGraph({ state }: ServiceWorld, method: string, path: string, given: Json): Reply {
  const bob = { emailAddress: { name: 'Bob', address: 'bob@example.org' } }
  const stored = {
    id: 'm1',
    subject: 'Offer',
    from: bob,
    internetMessageId: '<offer@x>',
    body: { content: 'The offer is here.' },
  }
  const drafted = new Map(state.drafts)
  const draft = (mail: Mail): Reply => {
    const id = `AA${state.next++}=`
    state.drafts.push([id, mail])
    return { status: 201, json: { id, isDraft: true } }
  }
  const mailOf = (): Mail => ({ to: addressesOf(given.toRecipients), subject: String(given.subject ?? '') })
  if (path === '')
    return { status: 200, json: { mail: 'ada@contoso.test', userPrincipalName: 'ada@contoso.test' } }
  if (path === '/mailFolders') return { status: 200, json: { value: [{ id: 'f2', displayName: 'Archive' }] } }
  if (/^\/mailFolders\/[^/]+\/messages$/.test(path)) return { status: 200, json: { value: [stored] } }
  if (path === '/messages/m1')
    return { status: 200, json: { ...stored, parentFolderId: state.folders[0]?.[1] } }
  if (path === '/messages/m1/attachments') return { status: 200, json: { value: [{ name: 'offer.pdf' }] } }
  if (path === '/messages/m1/createReply') return draft({ to: ['bob@example.org'], subject: 'RE: Offer' })
  if (path === '/messages/m1/move') {
    state.folders = [['m1', String(given.destinationId)]]
    return { status: 201, json: stored }
  }
  if (path === '/messages' && method === 'POST') return draft(mailOf())
  if (path === '/calendarView')
    return { status: 200, json: { value: state.events.map(([, { text }]) => JSON.parse(text)) } }
  if (path === '/events') {
    const known = state.events.find(([id]) => id === given.transactionId)
    if (known) return { status: 409, json: { error: { message: 'The transaction id was used before.' } } }
    const text = JSON.stringify({ ...given, id: `e${state.next++}` })
    state.events.push([String(given.transactionId), { text, guests: addressesOf(given.attendees) }])
    return { status: 201, json: JSON.parse(text) }
  }
  const [, id = '', action] = /^\/messages\/([^/]+?)(\/send)?$/.exec(path) ?? []
  const known = drafted.get(id)
  if (!known) return id.startsWith('sent:') ? notFound : isSent(state, id)
  if (method === 'PATCH') {
    state.drafts = state.drafts.map(([one, mail]) => [one, one === id ? mailOf() : mail])
    return { status: 200, json: { id } }
  }
  if (action === undefined) return { status: 200, json: { id, isDraft: true } }
  state.drafts = state.drafts.filter(([one]) => one !== id)
  state.sent.push({ ...known, raw: id })
  return { status: 202 }
}

/** A sent mail keeps its immutable id. */
const isSent = ({ sent }: ServiceState, id: string): Reply =>
  sent.some(({ raw }) => raw === id) ? { status: 200, json: { id, isDraft: false } } : notFound

function answerJira({ state }: ServiceWorld, method: string, path: string, given: Json): Reply {
  if (path === '/oauth/token/accessible-resources')
    return { status: 200, json: [{ id: 'cloud-1', url: 'https://acme.atlassian.test' }] }
  const [, what = ''] = /^\/ex\/jira\/cloud-1\/rest\/api\/3\/(.+)$/.exec(path) ?? []
  if (what === 'myself') return { status: 200, json: { accountId: '5b:1', emailAddress: 'ada@acme.test' } }
  if (what === 'search/jql') {
    const issues = state.tickets.map(({ key, call }) => ({
      key,
      properties: { 'atrium.call': { id: call } },
    }))
    return { status: 200, json: { issues } }
  }
  if (what !== 'issue' || method !== 'POST') return { status: 404, json: { errorMessages: ['Not found'] } }
  const { fields, properties } = given as {
    fields: { summary: string; project: { key: string } }
    properties: { value: { id: string } }[]
  }
  if (fields.project.key === 'NONE')
    return { status: 400, json: { errorMessages: [], errors: { project: 'valid project is required' } } }
  const key = `${fields.project.key}-${state.next++}`
  state.tickets.push({ key, title: fields.summary, call: properties[0]?.value.id ?? '' })
  return { status: 201, json: { id: '1', key } }
}
