import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { Feature } from './features.ts'

/** Level of a route: who may call it. `visitor`: only visitors of an embedded assistant. */
export type Access = 'public' | 'visitor' | 'user' | 'admin' | 'super_admin'

/** Scopes of API keys. A route without a scope accepts no keys. */
export const scopes = ['chat', 'assistants', 'documents.read', 'documents.write', 'chats', 'usage'] as const
export type Scope = (typeof scopes)[number]

/** Rights on a thing: read it, change it, or delete and share it (`manage`). */
export type Right = 'read' | 'write' | 'manage'
/** Things that a path can name. */
export type Thing =
  | 'session'
  | 'reply'
  | 'message'
  | 'checkpoint'
  | 'execution'
  | 'file'
  | 'media'
  | 'assistant'
  | 'prompt'
  | 'fact'
  | 'tool'
  | 'tool-set'
  | 'connection'
  | 'database'
  | 'channel'
  | 'user'
  | 'sign-in'
  | 'document'
  | 'upload'
  | 'workspace'
  | 'project'
  | 'unmanaged-project'
  | 'company'
  | 'group'
  | 'invitation'
  | 'key'
  | 'export'
  | 'import'
  | 'link'
  | 'passkey'
  | 'webhook'
  | 'announcement'
  | 'member-key'
  | 'member-webhook'
  | 'schedule'
  | 'offered-schedule'
  | 'member-schedule'
  | 'deputy-question'
  | 'approval'
  | 'connector'
/** The right that a caller needs on the thing in the path. */
export type May = `${Right} ${Thing}`

/** A feature or tool that must be open to the caller. */
export type Use = `feature ${Feature}` | 'tool document_search'

type Schema = z.core.$ZodType

/**
 * One HTTP route as data, used by the server, the client and the OpenAPI description.
 * `path` is relative to the API base and has `:params`. `kind: 'stream'` returns `text/event-stream`.
 * `form: true` reads `application/x-www-form-urlencoded`, `upload: true` reads `multipart/form-data`; all others JSON.
 */
export type Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
  Level extends Access = Access,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Base path; default: the API base. Errors at `/v1` have the form of the OpenAI wire. */
  base?: typeof WIRE_BASE
  /** Errors have the form of Anthropic's wire instead, on which every invalid request is 400. */
  errorForm?: 'anthropic'
  path: string
  access: Level
  /** Null when the parameters name no protected thing, such as a language or a provider. */
  may?: May | null
  summary: string
  /** Sentences for programs, shown in the API description. */
  description?: string
  /** Scope that an API key needs; without it the route accepts no keys. */
  scope?: Scope
  /** Also open to visitors of an embedded assistant, for their own data. */
  visitors?: true
  /** Feature or tool that must be open to the caller (`server/platform/access/grants.ts`). */
  uses?: Use
  /** Other HTTP methods accepted for this route. */
  alsoMethods?: ('PUT' | 'PATCH')[]
  kind?: 'json' | 'stream'
  /** Reads a form; with `or_multipart` one of either type, whose content is ignored. */
  form?: boolean | 'or_multipart'
  upload?: boolean
  /** Maximum body size in bytes; default: 64 kB on public routes, 1 MB on others. */
  bodyLimit?: number
  /** Maximum values of a JSON body; the default is in `body-bounds.ts`. */
  maxValues?: number
  status?: 200 | 201 | 202 | 204 | 302
  /** Additional success statuses: no content, partial content, not modified. */
  alsoStatus?: (200 | 204 | 206 | 304)[]
  /** Error codes of this route, besides those of every route of its kind (`failuresOf`). */
  fails?: readonly ErrorCode[]
  /** Media type of an answer other than JSON. With `answer`, the alternative that clients can request. */
  sends?: `${string}/${string}`
  /** Also served by processes that only execute runs and jobs. */
  byWorkers?: boolean
  /** Also open to a person who must change the password first. */
  beforeNewPassword?: true
  /** Refused until the caller has accepted the terms of their companies: it sends a message or starts a model call for them. */
  afterTerms?: true
  /** Waits only for other probes of its address, so that other requests cannot delay it. */
  isUrgent?: true
  /** Page size; `skip` sets the start. The whole list is read, and the query has no other parameters. */
  pages?: number
  params?: Params
  query?: Query
  body?: Body
  answer?: Answer
}

export const API_BASE = '/api/v1'
/** Header with the time zone of the person's browser, an IANA name. */
export const TIME_ZONE_HEADER = 'x-time-zone'
/** Base path for clients of the OpenAI wire. */
export const WIRE_BASE = '/v1'
/** Version of the API description. The major number grows with breaking changes, the minor with additions. */
export const API_VERSION = '1.1.0'
/** Path of the tools' files. */
export const ASSETS_PATH = `${API_BASE}/assets/tools/`
/** Path where frames without an origin load tool interfaces. */
export const INTERFACES_PATH = `${API_BASE}/tool-interfaces/`

/** Requires `may` on a route whose path names something. */
type Decided<Path extends string> = Path extends `${string}:${string}` ? { may: May | null } : { may?: never }

/** Declares a route. Infers its schemas and level, and requires a decision on access. */
export function route<
  const Path extends string,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Answer extends Schema,
  const Level extends Access,
>(
  definition: Route<Params, Query, Body, Answer, Level> & { path: Path } & Decided<Path>,
): Route<Params, Query, Body, Answer, Level> {
  return definition
}
