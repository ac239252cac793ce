import * as z from 'zod/mini'
import { Brand } from '../../identity/branding/branding.ts'
import { route } from '../../platform/http.ts'
import { Id, Language, queryInt, text } from '../../platform/primitives.ts'

/** Maximum number of files per share link. */
export const MAX_SHARED_FILES = 50
/** Messages per page of a shared chat. */
export const SHARED_PAGE = 40
/** Lifetimes of a share link, in days; without one it lasts until it is revoked. */
export const linkDays = [1, 7, 30, 90] as const

/** A link to a snapshot of a branch, as its owner sees it. */
export const ShareLink = z.object({
  id: Id,
  session_id: Id,
  title: z.string(),
  url: z.string(),
  /** Number of messages it shows. */
  messages: z.int(),
  files: z.int(),
  views: z.int(),
  hides_steps: z.boolean(),
  created_at: z.string(),
  /** Null: until it is revoked. */
  expires_at: z.nullable(z.string()),
})
export type ShareLink = z.infer<typeof ShareLink>

export const shareBranch = route({
  method: 'POST',
  path: '/sessions/:sessionId/links',
  access: 'user',
  uses: 'feature links',
  fails: ['conflict'],
  may: 'manage session',
  summary:
    'Make a read-only link to the branch on screen as it stands now, with files of the caller that are chosen',
  status: 201,
  params: z.object({ sessionId: Id }),
  body: z.object({
    days: z._default(z.nullable(z.int().check(z.gte(1), z.lte(3_650))), 30),
    documents: z._default(z.array(Id).check(z.maxLength(MAX_SHARED_FILES)), []),
    hide_steps: z._default(z.boolean(), true),
  }),
  answer: ShareLink,
})

export const listLinks = route({
  method: 'GET',
  path: '/links',
  access: 'user',
  summary: 'The links the caller has made and that still hold, newest first; of one chat with `session_id`',
  query: z.object({
    session_id: z.optional(Id),
    skip: queryInt({ min: 0, max: 1_000_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: 100, fallback: 50 }),
  }),
  answer: z.object({ items: z.array(ShareLink), total: z.int() }),
})

export const revokeLink = route({
  method: 'DELETE',
  path: '/links/:linkId',
  access: 'user',
  may: 'manage link',
  summary: 'End a link: from now on it shows nothing, and no file',
  status: 204,
  params: z.object({ linkId: Id }),
})

/** The source behind a citation number. */
export const SharedSource = z.object({
  /** Id that the marker in the text refers to. */
  id: z.string(),
  number: z.int(),
  title: z.string(),
  /** Location in the document, in the requested language; empty for documents without places. */
  place: z.string(),
  /** Address of a web page. */
  url: z.nullable(z.string()),
  /** Quoted passage, while the owner of the link may read it. */
  quote: z.nullable(z.string()),
  /** Index of the document among the files of the link; null when it is not shared. */
  file: z.nullable(z.int()),
})
export type SharedSource = z.infer<typeof SharedSource>

export const SharedMessage = z.object({
  author: z.string(),
  is_person: z.boolean(),
  created_at: z.string(),
  parts: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('text'), text: z.string() }),
      z.object({ kind: z.literal('steps'), lines: z.array(z.string()) }),
      z.object({ kind: z.literal('picture'), url: z.string(), alt: z.string() }),
      z.object({ kind: z.literal('notice'), text: z.string() }),
    ]),
  ),
  sources: z.array(SharedSource),
})
export type SharedMessage = z.infer<typeof SharedMessage>

export const SharedFile = z.object({ place: z.int(), name: z.string(), size: z.int() })
export type SharedFile = z.infer<typeof SharedFile>

const Page = z.object({ messages: z.array(SharedMessage), has_more: z.boolean() })

/** The snapshot of a branch, for anyone with its link. */
export const SharedChat = z.extend(Page, {
  title: z.string(),
  shared_by: z.string(),
  created_at: z.string(),
  expires_at: z.nullable(z.string()),
  total: z.int(),
  files: z.array(SharedFile),
  /** Brand of the company of the person who made the link; absent for the product's own look. */
  brand: z.optional(Brand),
})
export type SharedChat = z.infer<typeof SharedChat>

const Token = z.object({ token: text(1, 64) })
const language = z._default(Language, 'en')

export const readShared = route({
  method: 'GET',
  path: '/shared/:token',
  access: 'public',
  may: null,
  summary: 'The beginning of what a link shows',
  params: Token,
  query: z.object({ language }),
  answer: SharedChat,
})

export const readSharedMessages = route({
  method: 'GET',
  path: '/shared/:token/messages',
  access: 'public',
  may: null,
  summary: 'Further messages of what a link shows',
  params: Token,
  query: z.object({ language, skip: queryInt({ min: 0, max: 1_000_000, fallback: 0 }) }),
  answer: Page,
})

export const readSharedFile = route({
  method: 'GET',
  path: '/shared/:token/files/:place',
  access: 'public',
  fails: ['invalid'],
  sends: '*/*',
  alsoStatus: [206],
  may: null,
  summary: 'A file that a link shows; ranges are answered',
  params: z.extend(Token, { place: z.pipe(z.coerce.number(), z.int().check(z.gte(1), z.lte(1_000))) }),
})

export const readSharedPicture = route({
  method: 'GET',
  path: '/shared/:token/pictures/:pictureId',
  access: 'public',
  fails: ['invalid'],
  sends: 'image/*',
  alsoStatus: [206],
  may: null,
  summary: 'A picture that a tool made for a message that a link shows',
  params: z.extend(Token, { pictureId: Id }),
})

export const copyShared = route({
  method: 'POST',
  path: '/shared/:token/copy',
  access: 'user',
  fails: ['quota_exceeded'],
  may: null,
  summary: 'Go on with what a link shows in a private copy of one’s own, with its files',
  status: 201,
  params: Token,
  answer: z.object({ session_id: Id }),
})
