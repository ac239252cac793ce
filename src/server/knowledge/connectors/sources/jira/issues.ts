import type { Readable } from 'node:stream'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { SignedOut, type SourceContext, type SourceItem } from '../../define-connector.ts'
import { unfinishedList } from '../../requests/guard-cursors.ts'
import { dateOf, nameOf } from '../../requests/item-names.ts'
import {
  type JsonRequests,
  linkTo,
  part,
  readableOf,
  requestsTo,
  signIn,
} from '../../requests/json-requests.ts'
import { openNumbered } from '../../requests/numbered-list.ts'
import { Comment, FullIssue, issueHtml } from './issue-html.ts'

const PAGE = 100
const MAX_PROJECT_PAGES = 400
const MAX_COMMENT_PAGES = 100
const listedFields = 'summary,updated,created,labels,assignee,reporter,attachment'

const Person = z.nullish(z.object({ displayName: z.nullish(z.string()) }))
const File = z.object({
  id: z.union([z.string(), z.int()]),
  filename: z.string(),
  size: z.nullish(z.number()),
  created: z.nullish(z.string()),
})
const Issue = z.object({
  id: z.string(),
  key: z.string(),
  fields: z.object({
    summary: z.nullish(z.string()),
    updated: z.string(),
    created: z.nullish(z.string()),
    labels: z.nullish(z.array(z.string())),
    assignee: Person,
    reporter: Person,
    attachment: z.nullish(z.array(File)),
  }),
})
type Issue = z.infer<typeof Issue>
const Tokened = z.object({ issues: z.array(Issue), nextPageToken: z.nullish(z.string()) })
const Numbered = z.object({ issues: z.array(Issue), total: z.int() })
const ProjectEntry = z.object({ id: z.union([z.string(), z.int()]), key: z.string(), name: z.string() })
const ProjectPage = z.object({ values: z.array(ProjectEntry), isLast: z.nullish(z.boolean()) })
const Comments = z.object({ comments: z.array(Comment), total: z.nullish(z.int()) })

export type Project = { id: string; key: string; name: string }
type Wish = { project: Project; folder: string; next: string | null; mayRestart: boolean }

/** A site of Jira, Cloud or Data Center. */
export type Jira = {
  host: string
  check(): Promise<void>
  projects(): Promise<Project[]>
  /** Lists the issues of a project with their attachments. */
  issues(wish: Wish): Promise<{ items: SourceItem[]; next: string | null }>
  read(id: string, signal: AbortSignal): Promise<Readable>
}

export function openJira(context: SourceContext): Jira {
  const { edition, address = '', email, token } = context.settings
  const isCloud = edition !== 'data-center'
  const plain = requestsTo(context, address, signIn(email, token))
  const requests: JsonRequests = {
    ...plain,
    ask: (path, shape, options) => plain.ask(path, shape, { ...options, assertDone: assertSignedIn }),
  }
  const api = isCloud ? 'rest/api/3' : 'rest/api/2'
  return {
    host: requests.host,
    check: async () => void (await requests.ask(`${api}/myself`, z.object({}))),
    projects: () => (isCloud ? listProjects(requests, api) : allProjects(requests, api)),
    issues: (wish) => (isCloud ? listTokened(requests, api, wish) : listNumbered(requests, api, wish)),
    read: (itemId, signal) => {
      const [kind = '', id = ''] = itemId.split(':')
      if (kind === 'issue') return readIssue(requests, api, id, signal)
      return isCloud
        ? requests.download(`${api}/attachment/content/${part(id)}`, signal)
        : readFile(requests, api, id, signal)
    },
  }
}

/** Jira answers an invalid token in part as it answers people who are not signed in. */
function assertSignedIn(_: unknown, headers: Headers): void {
  if (/AUTHENTICATED_FAILED|AUTHENTICATION_DENIED/.test(headers.get('x-seraph-loginreason') ?? ''))
    throw new SignedOut('Jira refuses the sign-in.')
}

const projectOf = ({ id, key, name }: z.infer<typeof ProjectEntry>): Project => ({
  id: String(id),
  key,
  name,
})

async function listProjects(requests: JsonRequests, api: string): Promise<Project[]> {
  const found = new Map<string, Project>()
  for (let pages = 0, start = 0; pages < MAX_PROJECT_PAGES; pages += 1) {
    // A project whose issues the token cannot see would fail the whole sync.
    const query = { startAt: start, maxResults: PAGE, orderBy: 'key', action: 'browse' }
    const { values, isLast } = await requests.ask(`${api}/project/search`, ProjectPage, {
      query,
      isFurther: pages > 0,
    })
    const before = found.size
    for (const one of values) found.set(String(one.id), projectOf(one))
    if (isLast === false && values.length === 0) throw unfinishedList(requests.host)
    if (isLast === true || values.length === 0) return [...found.values()]
    if (found.size === before) break
    start += values.length
  }
  throw new AppError('unavailable', `${requests.host} sends a list of projects without an end.`)
}

async function allProjects(requests: JsonRequests, api: string): Promise<Project[]> {
  return (await requests.ask(`${api}/project`, z.array(ProjectEntry))).map(projectOf)
}

const queryOf = ({ id }: Project) => ({
  jql: `project = ${/^\d+$/.test(id) ? id : 0} ORDER BY key ASC`,
  fields: listedFields,
  maxResults: PAGE,
})

async function listTokened(requests: JsonRequests, api: string, { project, folder, next }: Wish) {
  const query = { ...queryOf(project), nextPageToken: next ?? undefined }
  const { issues, nextPageToken } = await requests.ask(`${api}/search/jql`, Tokened, { query })
  return { items: issues.flatMap((issue) => itemsOf(requests, issue, folder)), next: nextPageToken ?? null }
}

async function listNumbered(
  requests: JsonRequests,
  api: string,
  { project, folder, next, mayRestart }: Wish,
) {
  const list = openNumbered(next)
  const query = { ...queryOf(project), startAt: list.start }
  const { issues, total } = await requests.ask(`${api}/search`, Numbered, { query })
  const hasMore = list.start + issues.length < total
  const page = list.accept(requests.host, issues, { hasMore, mayRestart })
  return { items: page.fresh.flatMap((issue) => itemsOf(requests, issue, folder)), next: page.next }
}

/** Returns an issue and its attachments as items. */
function itemsOf(requests: JsonRequests, { id, key, fields }: Issue, folder: string): SourceItem[] {
  const { summary, updated, created, labels, assignee, reporter, attachment } = fields
  const title = nameOf(`${key} ${summary ?? ''}`)
  const owner = assignee?.displayName ?? reporter?.displayName
  const [createdAt, changedAt] = [dateOf(created), dateOf(updated)]
  const shared = { ...linkTo(requests, `browse/${part(key)}`), labels: labels ?? [], ...(owner && { owner }) }
  const issue: SourceItem = {
    ...{ id: `issue:${id}`, version: updated, name: `${title}.html`, path: `${folder}/${title}.html` },
    ...{ size: null, ...shared },
    ...(createdAt && { created_at: createdAt }),
    ...(changedAt && { changed_at: changedAt }),
  }
  const files = (attachment ?? []).map((file): SourceItem => {
    const [name, date] = [nameOf(file.filename), dateOf(file.created)]
    // A file of an attachment never changes.
    return {
      ...{ id: `attachment:${file.id}`, version: String(file.id), name, path: `${folder}/${title}/${name}` },
      ...{ size: file.size ?? null, ...shared },
      ...(date && { created_at: date, changed_at: date }),
    }
  })
  return [issue, ...files]
}

async function readIssue(
  requests: JsonRequests,
  api: string,
  id: string,
  signal: AbortSignal,
): Promise<Readable> {
  const path = `${api}/issue/${part(id)}`
  const expand = api.endsWith('2') ? 'names,schema,renderedFields' : 'names,schema'
  const query = { fields: '*all,-comment', expand }
  const issue = await requests.ask(path, FullIssue, { query, signal })
  const comments = new Map<string, Comment>()
  for (let pages = 0, start = 0; pages < MAX_COMMENT_PAGES; pages += 1) {
    const options = { startAt: start, maxResults: PAGE, orderBy: 'created', expand: 'renderedBody' }
    const page = await requests.ask(`${path}/comment`, Comments, { query: options, signal, isFurther: true })
    for (const comment of page.comments) comments.set(comment.id, comment)
    start += page.comments.length
    if (page.comments.length === 0 || start >= (page.total ?? 0)) break
  }
  const isCloud = api.endsWith('3')
  // Cloud has documents, which are written here; Data Center has markup of its own, which it writes as HTML.
  const shown = [...comments.values()].map((one) => (isCloud ? { ...one, renderedBody: null } : one))
  return readableOf(await issueHtml(issue, shown))
}

const Content = z.object({ content: z.string() })

async function readFile(
  requests: JsonRequests,
  api: string,
  id: string,
  signal: AbortSignal,
): Promise<Readable> {
  const { content } = await requests.ask(`${api}/attachment/${part(id)}`, Content, { signal })
  return requests.download(content, signal)
}
