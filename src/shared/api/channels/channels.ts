import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Id, label, Notice, record, text, trimmed } from '../../platform/primitives.ts'

/** The foreign id of the place of direct messages. */
export const DIRECT = 'direct'
export const MAX_CHANNELS = 50
const MAX_PLACES = 200
/** Channels of a service that are offered to choose from. */
export const MAX_OFFERED = 1_000
/** Above this number of members, a reply in a channel reads only what visitors of its assistant may read. */
export const MAX_AUDIENCE = 200
/** Days that events and what was said are stored. Chats stay. */
export const CHANNEL_EVENT_DAYS = 90
/** Seconds that a list of members counts. */
export const MEMBERS_S = 60
/** Age of a signed request in seconds, as the service states it. */
export const MAX_SIGNED_AGE_S = 300

export const ChannelKind = z.enum(['slack', 'teams'])
export type ChannelKind = z.infer<typeof ChannelKind>

export const DEFAULT_ADDRESSES: Record<ChannelKind, string> = {
  slack: 'https://slack.com',
  teams: 'https://login.microsoftonline.com',
}
/** Addresses of Microsoft's public cloud: metadata of the issuer, Graph, and the services that are answered. */
export const DEFAULT_TEAMS = {
  issuer: 'https://login.botframework.com/v1/.well-known/openidconfiguration',
  graph: 'https://graph.microsoft.com',
  services: ['https://smba.trafficmanager.net'],
}

const connection = {
  kind: ChannelKind,
  name: label(1, 100),
  /** People of this company are matched by their verified address. */
  company_id: Id,
  /** Origin of the programming interface; empty for the usual one. */
  address: z._default(trimmed(0, 300), ''),
  is_on: z._default(z.boolean(), true),
  /** Teams: the application and the tenant whose people count. */
  app_id: z._default(trimmed(0, 100), ''),
  tenant_id: z._default(trimmed(0, 100), ''),
  /** Teams, empty for the usual ones: metadata of the issuer, origin of Graph, and origins that may be answered. */
  issuer: z._default(trimmed(0, 500), ''),
  graph: z._default(trimmed(0, 300), ''),
  services: z._default(z.array(trimmed(1, 300)).check(atMost(20)), []),
}

/** How a service is reached. `secret` and `token` are sealed and never returned. */
export const NewChannel = z.object({
  ...connection,
  /** Slack: signing secret. Teams: client secret. */
  secret: text(1, 500),
  /** Slack: token of the bot. */
  token: z.optional(text(1, 500)),
})
export type NewChannel = z.infer<typeof NewChannel>

/** The whole connection; without `secret` or `token` the stored one stays. */
export const ChannelChanges = z.object({
  ...connection,
  secret: z.optional(text(1, 500)),
  token: z.optional(text(1, 500)),
})
export type ChannelChanges = z.infer<typeof ChannelChanges>

/** A place in which an assistant answers. In direct messages without an assistant, the person's default model answers. */
export const ChannelPlace = z.object({
  /** Id of the channel at the service, or `direct`. */
  foreign_id: trimmed(1, 200),
  name: label(1, 200),
  assistant_id: z.nullable(Id),
})
export type ChannelPlace = z.infer<typeof ChannelPlace>

const ShownPlace = z.extend(ChannelPlace, {
  assistant_name: z.nullable(z.string()),
  /** Null until the members were listed for the first time. */
  members: z.nullable(z.int()),
  /** Threads of the last 30 days. */
  threads: z.int(),
})

export const Channel = z.object({
  id: Id,
  kind: ChannelKind,
  name: z.string(),
  company: z.object({ id: Id, name: z.string() }),
  address: z.string(),
  is_on: z.boolean(),
  app_id: z.string(),
  tenant_id: z.string(),
  issuer: z.string(),
  graph: z.string(),
  services: z.array(z.string()),
  /** Name of the workspace, and of the bot in it. */
  workspace: z.string(),
  bot: z.string(),
  /** The last refusal of the service; null while it works. */
  detail: z.nullable(z.string()),
  places: z.array(ShownPlace),
  /** Addresses that the service sends events and presses of buttons to. For Teams they are the same. */
  events_url: z.string(),
  actions_url: z.string(),
  /** Counts of the last 24 hours. `unsure` posts may have arrived; `unsent_detail` is the newest reason of an unsent or unsure one. */
  day: z.object({
    events: z.int(),
    repeated: z.int(),
    waiting: z.int(),
    failed: z.int(),
    unsent: z.int(),
    unsure: z.int(),
    unsent_detail: z.nullable(z.string()),
  }),
  /** People seen so far, by what they get. */
  people: z.object({ users: z.int(), strangers: z.int() }),
  created_at: z.string(),
})
export type Channel = z.infer<typeof Channel>

/** The result of a connection test. */
export const ChannelTest = z.object({ workspace: z.string(), bot: z.string() })
export type ChannelTest = z.infer<typeof ChannelTest>

const params = z.object({ channelId: Id })
const fails = ['conflict', 'invalid', 'not_found'] as const

export const listChannels = route({
  method: 'GET',
  path: '/admin/channels',
  access: 'super_admin',
  summary: 'The connections to Slack and Teams, with the assistants that answer there, by name',
  answer: z.object({ items: z.array(Channel) }),
})

export const testChannel = route({
  method: 'POST',
  path: '/admin/channels/test',
  access: 'super_admin',
  fails: [...fails],
  summary: 'Ask the service whether it accepts the token and its scopes',
  body: z.object({ ...ChannelChanges.shape, id: z.optional(Id) }),
  answer: ChannelTest,
})

export const createChannel = route({
  method: 'POST',
  path: '/admin/channels',
  access: 'super_admin',
  fails: [...fails],
  summary: 'Connect a service after the same test. No assistant answers until a place is given to it',
  status: 201,
  body: NewChannel,
  answer: Channel,
})

export const updateChannel = route({
  method: 'PUT',
  path: '/admin/channels/:channelId',
  access: 'super_admin',
  fails: [...fails],
  summary: 'Change a connection, after the same test',
  may: 'manage channel',
  params,
  body: ChannelChanges,
  answer: Channel,
})

export const deleteChannel = route({
  method: 'DELETE',
  path: '/admin/channels/:channelId',
  access: 'super_admin',
  summary: 'Remove a connection. Chats of its threads stay',
  may: 'manage channel',
  params,
  answer: Notice,
})

export const setChannelPlaces = route({
  method: 'PUT',
  path: '/admin/channels/:channelId/places',
  access: 'super_admin',
  fails: [...fails],
  summary: 'Choose which assistant answers in which channel',
  may: 'manage channel',
  params,
  body: z.object({ places: z.array(ChannelPlace).check(atMost(MAX_PLACES)) }),
  answer: Channel,
})

export const listOfferedPlaces = route({
  method: 'GET',
  path: '/admin/channels/:channelId/offered',
  access: 'super_admin',
  fails: [...fails],
  summary: 'The channels of the service that the bot is a member of, to choose from',
  may: 'manage channel',
  params,
  answer: z.object({ items: z.array(z.object({ foreign_id: z.string(), name: z.string() })) }),
})

const incoming = { access: 'public', may: null, fails: ['wrong_credentials', 'invalid'] } as const

export const receiveSlackEvent = route({
  ...incoming,
  method: 'POST',
  path: '/channels/:slackChannelId/slack/events',
  bodyLimit: 256 * 1024,
  summary: 'An event of Slack, signed with the signing secret. An event counts once',
  params: z.object({ slackChannelId: Id }),
  body: record(1_000, z.unknown()),
  answer: z.object({ challenge: z.optional(z.string()) }),
})

export const receiveSlackAction = route({
  ...incoming,
  method: 'POST',
  path: '/channels/:slackChannelId/slack/actions',
  form: true,
  bodyLimit: 256 * 1024,
  summary: 'The press of a button in Slack, signed with the signing secret. A press counts once',
  params: z.object({ slackChannelId: Id }),
  body: z.object({ payload: text(1, 200_000) }),
  answer: z.object({}),
})

export const receiveTeamsActivity = route({
  ...incoming,
  method: 'POST',
  path: '/channels/:teamsChannelId/teams/messages',
  bodyLimit: 256 * 1024,
  summary: 'An activity of Microsoft Teams, with a token of the Bot Framework. An activity counts once',
  params: z.object({ teamsChannelId: Id }),
  body: record(1_000, z.unknown()),
  answer: z.object({}),
})
