import { type Answered, type Asked, pageOf, type SourceServer, startSourceServer } from './source-server.ts'

type File = { id: string; filename: string; text: string }
export type JiraIssue = {
  id: string
  key: string
  project: string
  summary: string
  updated: string
  description: unknown
  fields: Record<string, unknown>
  comments: { id: string; author: { displayName: string }; created: string; body: unknown }[]
  files: File[]
}

/** A site of Jira, as Cloud or as Data Center. */
export type JiraServer = SourceServer & {
  projects: { id: string; key: string; name: string }[]
  issues: Map<string, JiraIssue>
  token: string
  /** Answers people who are not signed in, with empty lists. */
  isPublic: boolean
}

export async function startJiraServer(edition: 'cloud' | 'data-center'): Promise<JiraServer> {
  const data = {
    ...{ projects: [] as JiraServer['projects'], issues: new Map<string, JiraIssue>() },
    ...{ token: 'sesame', isPublic: false },
  }
  const server = await startSourceServer((request) => {
    const basic = `Basic ${Buffer.from(`ada@example.com:${site.token}`).toString('base64')}`
    // Files of Cloud are at a media host that takes no sign-in.
    if (request.path.startsWith('/media/'))
      return request.authorization ? { status: 400 } : fileOf(site, request.path.slice(7))
    const isSignedIn = request.authorization === (edition === 'cloud' ? basic : `Bearer ${site.token}`)
    if (!isSignedIn && !site.isPublic) return { status: 401, json: {} }
    if (!isSignedIn) {
      const headers = { 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' }
      return { json: { values: [], issues: [], total: 0, isLast: true }, headers }
    }
    return answer(site, request, edition)
  })
  const site: JiraServer = Object.assign(server, data)
  return site
}

const notFound: Answered = { status: 404, json: {} }
function fileOf({ issues }: JiraServer, id: string): Answered {
  const file = [...issues.values()].flatMap(({ files }) => files).find((one) => one.id === id)
  return file ? { bytes: file.text } : notFound
}
const byNumber = (a: { key: string }, b: { key: string }) =>
  a.key.localeCompare(b.key, 'en', { numeric: true })

function answer(site: JiraServer, { path, query }: Asked, edition: 'cloud' | 'data-center'): Answered {
  const api = edition === 'cloud' ? '/rest/api/3' : '/rest/api/2'
  if (path.startsWith('/secure/attachment/')) return fileOf(site, path.split('/').at(3) ?? '')
  if (!path.startsWith(api)) return notFound
  const below = path.slice(api.length)
  const start = query.get('startAt')
  if (below === '/myself') return { json: { displayName: 'Ada' } }
  if (below === '/project' && edition === 'data-center') return { json: site.projects }
  if (below === '/project/search' && edition === 'cloud') {
    const { items, next } = pageOf(site, site.projects, start)
    return { json: { values: items, isLast: next === null } }
  }
  if (below === (edition === 'cloud' ? '/search/jql' : '/search')) {
    const [, project] = /^project = (\d+) ORDER BY key ASC$/.exec(query.get('jql') ?? '') ?? []
    const all = [...site.issues.values()].filter((one) => one.project === project).sort(byNumber)
    const { items, next } = pageOf(site, all, edition === 'cloud' ? query.get('nextPageToken') : start)
    const issues = items.map((issue) => listed(site, issue))
    if (edition === 'data-center')
      return { json: { issues, total: site.repeats ? 1e9 : all.length, startAt: Number(start) } }
    return { json: { issues, ...(next === null ? { isLast: true } : { nextPageToken: next }) } }
  }
  const [, id = '', comments] = /^\/issue\/([^/]+)(\/comment)?$/.exec(below) ?? []
  const issue = site.issues.get(id)
  if (issue && comments) {
    const { items } = pageOf({ ...site, repeats: false }, issue.comments, start)
    const shown =
      edition === 'cloud' ? items : items.map((one) => ({ ...one, renderedBody: `<p>${one.body}</p>` }))
    return { json: { comments: shown, total: issue.comments.length, startAt: Number(start) } }
  }
  if (issue) return { json: full(site, issue, edition) }
  const [, , fileId = ''] = /^\/attachment\/(content\/)?([^/]+)$/.exec(below) ?? []
  if (fileId && edition === 'cloud') {
    const location = `${site.url.replace('127.0.0.1', 'localhost')}/media/${fileId}`
    return { status: 303, headers: { location } }
  }
  return fileId ? { json: { content: `${site.url}/secure/attachment/${fileId}/file` } } : notFound
}

const listed = (site: JiraServer, issue: JiraIssue) => ({
  ...{ id: issue.id, key: issue.key },
  fields: {
    ...{ summary: issue.summary, updated: issue.updated, created: '2026-10-01T08:00:00.000+0000' },
    ...{ labels: ['oil'], assignee: null, reporter: { displayName: 'Inès Roche' } },
    attachment: issue.files.map(({ id, filename, text }) => ({
      ...{ id, filename, size: text.length, created: '2026-10-02T08:00:00.000+0000' },
      content: `${site.url}/secure/attachment/${id}/file`,
    })),
  },
})

function full(site: JiraServer, issue: JiraIssue, edition: 'cloud' | 'data-center') {
  const { fields, ...more } = listed(site, issue)
  return {
    ...more,
    fields: { ...fields, description: issue.description, ...issue.fields },
    names: { customfield_1: 'Machine', customfield_2: 'Rank', status: 'Status' },
    schema: { customfield_2: { type: 'any', custom: 'com.pyxis.greenhopper.jira:gh-lexo-rank' } },
    ...(edition === 'data-center' && { renderedFields: { description: `<p>${issue.description}</p>` } }),
  }
}
