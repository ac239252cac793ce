import { createSign, generateKeyPairSync } from 'node:crypto'
import {
  type Answered,
  type Asked,
  pageOf,
  type SourceServer,
  startSourceServer,
} from './sources/source-server.ts'

export const TEAMS_APP = '11111111-1111-4111-8111-111111111111'
export const TEAMS_TENANT = '22222222-2222-4222-8222-222222222222'
export const TEAMS_SECRET = 'of-the-recorded-application'
const BOT = `28:${TEAMS_APP}`
const ISSUER = 'https://api.botframework.com'
const TEAM = '19:team@thread.tacv2'
const GROUP = '33333333-3333-4333-8333-333333333333'

export type TeamsPost = {
  id: string
  conversation: string
  // biome-ignore lint/suspicious/noExplicitAny: cards have many shapes
  card: any
  text: string
  edits: number
}
type TeamsPerson = { id: string; email: string; tenant?: string; guest?: boolean }

/** Microsoft's sign-in, keys, bot connector and Graph, as they answered on record. */
export type TeamsServer = SourceServer & {
  people: TeamsPerson[]
  /** Members by conversation, without its thread. */
  conversations: Map<string, string[]>
  posts: TeamsPost[]
  /** Returns a token as the Bot Framework signs it. */
  sign: (claims?: Record<string, unknown>, head?: Record<string, unknown>) => string
}

export async function startTeamsServer(): Promise<TeamsServer> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...keys.publicKey.export({ format: 'jwk' }), kid: 'key-1', endorsements: ['msteams'] }
  const server = await startSourceServer((request) => {
    if (request.path === '/.well-known/openidconfiguration')
      return { json: { issuer: ISSUER, jwks_uri: `${teams.url}/keys` } }
    if (request.path === '/keys') return { json: { keys: [jwk] } }
    if (request.path === `/${TEAMS_TENANT}/oauth2/v2.0/token`) return token(request)
    if (!request.authorization.startsWith('Bearer token for ')) return { status: 401, json: {} }
    return graph(teams, request) ?? connector(teams, request) ?? { status: 404, json: {} }
  })
  const teams: TeamsServer = Object.assign(server, {
    ...{ people: [], conversations: new Map(), posts: [] },
    sign: (claims = {}, head = {}) => {
      const now = Math.floor(Date.now() / 1000)
      const usual = {
        iss: ISSUER,
        aud: TEAMS_APP,
        exp: now + 3_600,
        nbf: now - 60,
        serviceurl: `${server.url}/emea/`,
      }
      const parts = [
        { alg: 'RS256', typ: 'JWT', kid: 'key-1', ...head },
        { ...usual, ...claims },
      ]
      const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
      return `${text}.${createSign('RSA-SHA256').update(text).sign(keys.privateKey, 'base64url')}`
    },
  }) as TeamsServer
  return teams
}

function token({ body }: Asked): Answered {
  if (body.client_secret !== TEAMS_SECRET || body.client_id !== TEAMS_APP)
    return {
      status: 401,
      json: { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret.' },
    }
  return { json: { access_token: `token for ${body.scope}`, expires_in: 3_600 } }
}

function graph(teams: TeamsServer, asked: Asked): Answered | null {
  const path = decodeURIComponent(asked.path)
  if (path === '/v1.0/organization') return { json: { value: [{ id: TEAMS_TENANT }] } }
  const thread = /^\/v1\.0\/teams\/[^/]+\/channels\/([^/]+)\/messages\/([^/]+)\/replies$/.exec(path)
  const chat = /^\/v1\.0\/chats\/19:(.+)_.+@unq\.gbl\.spaces\/messages$/.exec(path)
  if (!thread && !chat) return null
  const wanted = thread ? `${thread[1]};messageid=${thread[2]}` : `a:${chat?.[1]}`
  const value = teams.posts
    .filter(({ conversation }) => conversation === wanted)
    .map(({ id, card }) => ({ id, attachments: [{ content: JSON.stringify(card) }] }))
  return { json: { value } }
}

let clock = 1_700_000_000_000
const stamp = () => String(++clock)

function connector(teams: TeamsServer, request: Asked): Answered | null {
  const { method, path, query, body } = request
  const [, rest = ''] = path.split('/emea/v3/')
  const [kind, named = '', what = '', id = ''] = rest.split('/').map((part) => decodeURIComponent(part))
  if (kind === 'teams')
    return {
      json: {
        conversations: [
          { id: TEAM, name: null },
          { id: '19:c1@thread.tacv2', name: 'Buying' },
        ],
      },
    }
  if (kind !== 'conversations') return null
  if (named === '') return { status: 201, json: { id: `a:alone:${body.members[0].id}` } }
  const [conversation = ''] = named.split(';')
  if (what === 'pagedmembers') {
    const all = (teams.conversations.get(conversation) ?? []).map((one) => memberOf(teams, one))
    const { items, next } = pageOf(teams, all, query.get('continuationToken'))
    return { json: { members: items, continuationToken: next } }
  }
  if (what === 'members') {
    const member = memberOf(teams, id)
    return member ? { json: member } : { status: 404, json: {} }
  }
  if (what !== 'activities') return null
  const card = body.attachments?.[0].content
  const text = card?.body[0].text ?? body.text
  if (method === 'POST') {
    teams.posts.push({ id: stamp(), conversation: named, card, text, edits: 0 })
    return { status: 201, json: { id: teams.posts.at(-1)?.id } }
  }
  const post = teams.posts.find((one) => one.id === id)
  if (!post) return { status: 404, json: {} }
  Object.assign(post, { card, text, edits: post.edits + 1 })
  return { json: { id } }
}

function memberOf({ people }: TeamsServer, wanted: string) {
  const person = people.find(({ id }) => id === wanted)
  if (!person) return null
  const { id, email, tenant = TEAMS_TENANT, guest = false } = person
  const name = guest ? `${email.replace('@', '_')}#EXT#@acme.onmicrosoft.com` : email
  return {
    id,
    name: id,
    email,
    userPrincipalName: name,
    tenantId: tenant,
    userRole: guest ? 'guest' : 'user',
  }
}

type Said = {
  from: string
  text?: string
  id?: string
  root?: string
  channel?: string
  value?: object
  mentions?: boolean
}

/** Returns an activity as Teams sends it: a message in a channel, or to the bot alone without a channel. */
export function teamsActivity(
  { url }: TeamsServer,
  { from, id = stamp(), channel, root = id, ...said }: Said,
) {
  const { text = '<at>Atrium</at> When do you open?', value, mentions = true } = said
  const conversation = channel
    ? { id: `${channel};messageid=${root}`, conversationType: 'channel', tenantId: TEAMS_TENANT }
    : { id: `a:${from}`, conversationType: 'personal', tenantId: TEAMS_TENANT }
  return {
    ...{ type: 'message', id, channelId: 'msteams', serviceUrl: `${url}/emea/`, conversation },
    ...{ from: { id: from, aadObjectId: from, name: from }, recipient: { id: BOT, name: 'Atrium' } },
    ...(value ? { value } : { text }),
    entities:
      mentions && channel ? [{ type: 'mention', mentioned: { id: BOT }, text: '<at>Atrium</at>' }] : [],
    channelData: { tenant: { id: TEAMS_TENANT }, ...(channel && { team: { id: TEAM, aadGroupId: GROUP } }) },
  }
}
