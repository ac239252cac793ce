import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { Feature } from './features.ts'

/** Who may call a route at all; `visitor`: whoever has an embedded assistant open, and nobody else. */
export type Access = 'public' | 'visitor' | 'user' | 'admin' | 'super_admin'

/** What an API key may be used for; a route says which of them it asks for, and without one takes no keys at all. */
export const scopes = ['chat', 'assistants', 'documents.read', 'documents.write', 'chats', 'usage'] as const
export type Scope = (typeof scopes)[number]

/** What one may do with a thing: look at it, change it, and decide about it as a whole: delete it, share it. */
export type Right = 'read' | 'write' | 'manage'
/** What a path may name. */
export type Thing =
  | 'session'
  | 'message'
  | 'checkpoint'
  | 'execution'
  | 'file'
  | 'media'
  | 'assistant'
  | 'tool'
  | 'tool-set'
  | 'connection'
  | 'user'
  | 'sign-in'
  | 'document'
  | 'upload'
  | 'workspace'
  | 'company'
  | 'group'
  | 'invitation'
  | 'key'
  | 'export'
  | 'link'
  | 'passkey'
  | 'webhook'
  | 'announcement'
/** What a caller must be allowed to do with what the path names. */
export type May = `${Right} ${Thing}`

/** A feature of the product, or a tool, that must be open to the caller of a route. */
export type Use = `feature ${Feature}` | 'tool document_search'

type Schema = z.core.$ZodType

/**
 * One HTTP route as data: the server serves it, the client calls it, OpenAPI describes it.
 * `path` is relative to the API base and written with `:params`. `kind: 'stream'` answers
 * `text/event-stream`; `form: true` reads `application/x-www-form-urlencoded`, `upload: true` files as
 * `multipart/form-data`, all others JSON.
 */
export type Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
  Level extends Access = Access,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Where its path begins; the API base without it. At `/v1` errors have the form of the OpenAI wire. */
  base?: typeof WIRE_BASE
  path: string
  access: Level
  /** Null where a path names nothing of anybody's: a language, a provider. */
  may?: May | null
  summary: string
  /** What an API key needs to call it; without it no key may. */
  scope?: Scope
  /** Also for visitors of an embedded assistant, within what is theirs; without it they get nothing. */
  visitors?: true
  /** What must be open to the caller (`server/platform/access/grants.ts`); without it nothing need. */
  uses?: Use
  /** Further verbs the server accepts for the same route. */
  alsoMethods?: ('PUT' | 'PATCH')[]
  kind?: 'json' | 'stream'
  form?: boolean
  upload?: boolean
  /** The most bytes of a body; without it 64 kB on public routes, 1 MB on others. */
  bodyLimit?: number
  status?: 200 | 201 | 202 | 204 | 302
  /** Nothing there, a part of a file, unchanged: what it answers besides. */
  alsoStatus?: (200 | 204 | 206 | 304)[]
  /** What it may fail with beyond what every route of its kind may (`failuresOf`). */
  fails?: readonly ErrorCode[]
  /** The kind of what it answers that is no JSON; beside `answer`, what it is for who asks for that. */
  sends?: `${string}/${string}`
  /** Also by processes that only execute runs and jobs, which serve no other route. */
  byWorkers?: boolean
  /** Answered without waiting for a turn, so that nobody's other requests delay it. For probes alone. */
  isUrgent?: true
  /** So many of its list are answered at most, from `skip` on; the list is read whole, and its query says nothing else. */
  pages?: number
  params?: Params
  query?: Query
  body?: Body
  answer?: Answer
}

export const API_BASE = '/api/v1'
/** Where clients of the OpenAI wire find it. */
export const WIRE_BASE = '/v1'
/** Of the description: a number more in front where a program must change, in the middle where something came. */
export const API_VERSION = '1.1.0'
/** Where the files of tools stand. */
export const ASSETS_PATH = `${API_BASE}/assets/tools/`
/** Where frames without an origin read the interfaces of tools. */
export const INTERFACES_PATH = `${API_BASE}/tool-interfaces/`

/** A path that names something says what its caller must be allowed to do with it. */
type Decided<Path extends string> = Path extends `${string}:${string}` ? { may: May | null } : { may?: never }

/** Declares a route; exists so that its schemas and its level are inferred, and that its access is decided. */
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
