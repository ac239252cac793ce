import { startConfluenceServer } from './confluence-server.ts'
import { startJiraServer } from './jira-server.ts'
import { rich, startNotionServer } from './notion-server.ts'
import { startSlackServer } from './slack-server.ts'
import { byEntry, type SourceFixture } from './source-fixture.ts'
import type { SourceServer } from './source-server.ts'

const FOLDERS = ['a', 'b']
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]
const START = Date.parse('2026-01-01T00:00:00Z')

/** Returns the common parts of servers with recorded interfaces. Requests that `mayAsk` matches only read. */
function common(server: SourceServer, mayAsk = /^GET /) {
  server.pageSize = 20
  return {
    config: { ATRIUM_TOOLS_PRIVATE: server.url },
    setBusy: (isBusy: boolean) => {
      const busy = { status: 429, json: {}, headers: { 'retry-after': '30' } }
      server.fault = () => (isBusy ? busy : null)
    },
    writes: () => server.requests.filter((one) => !mayAsk.test(one)),
    ...{ changesItems: true, close: server.close },
  }
}

/** Every file is a page of the space of its folder. */
export async function aWiki(): Promise<SourceFixture> {
  const wiki = await startConfluenceServer('cloud')
  wiki.spaces = FOLDERS.map((key, at) => ({ id: `${at + 1}`, key, name: key }))
  return {
    ...common(wiki),
    settings: { edition: 'cloud', address: wiki.url, email: 'ada@example.com', token: wiki.token },
    setFiles: byEntry({
      put: ({ folder, name, text, number, edit }) =>
        void wiki.pages.set(`${number}`, {
          ...{ id: `${number}`, space: `${FOLDERS.indexOf(folder) + 1}`, kind: 'page', title: name },
          ...{ parent: null, html: `<p>${text}</p>`, version: edit, labels: [] },
        }),
      remove: ({ number }) => void wiki.pages.delete(`${number}`),
    }),
  }
}

/** Every file is an issue of the project of its folder. */
export async function aTracker(): Promise<SourceFixture> {
  const jira = await startJiraServer('cloud')
  jira.projects = FOLDERS.map((name, at) => ({ id: `${at + 1}`, key: name.toUpperCase(), name }))
  return {
    ...common(jira),
    settings: { edition: 'cloud', address: jira.url, email: 'ada@example.com', token: jira.token },
    setFiles: byEntry({
      put: ({ folder, name, text, number, edit }) =>
        void jira.issues.set(`${number}`, {
          ...{ id: `${number}`, key: `${folder.toUpperCase()}-${number}`, summary: name },
          project: `${FOLDERS.indexOf(folder) + 1}`,
          updated: new Date(START + edit * MINUTE_MS).toISOString(),
          description: {
            ...{ type: 'doc', version: 1 },
            content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
          },
          ...{ fields: {}, comments: [], files: [] },
        }),
      remove: ({ number }) => void jira.issues.delete(`${number}`),
    }),
  }
}

/** Every file is a page in the database of its folder. */
export async function aNotebook(): Promise<SourceFixture> {
  const notion = await startNotionServer()
  for (const title of FOLDERS)
    notion.databases.set(title, { title, parent: { type: 'workspace', workspace: true } })
  return {
    ...common(notion, /^(GET |POST \/v1\/search$)/),
    settings: { token: 'secret', address: notion.url },
    setFiles: byEntry({
      put: ({ folder, name, text, number, edit }) => {
        const id = `p${number}`
        const edited = new Date(START + edit * MINUTE_MS).toISOString()
        const parent = { type: 'database_id', database_id: folder }
        const block = { object: 'block', id: 'b', type: 'paragraph', has_children: false }
        notion.pages.set(id, { id, title: name, parent, edited })
        notion.blocks.set(id, [{ ...block, paragraph: { rich_text: [rich(text)] } }])
      },
      remove: ({ number }) => void notion.pages.delete(`p${number}`),
    }),
  }
}

/** Every file is the message of a day in the private channel of its folder. */
export async function aWorkspace(): Promise<SourceFixture> {
  const slack = await startSlackServer()
  for (const name of FOLDERS) {
    slack.channels.set(name, { name, isPrivate: true, isMember: true, members: [] })
    slack.messages.set(name, [])
  }
  const timeOf = (number: number) => `${(START + number * DAY_MS) / 1000}.000100`
  const remove = ({ folder, number }: { folder: string; number: number }) => {
    const others = slack.messages.get(folder)?.filter(({ ts }) => ts !== timeOf(number))
    slack.messages.set(folder, others ?? [])
  }
  return {
    ...common(slack),
    settings: { token: 'xoxb-1', address: slack.url },
    setFiles: byEntry({
      put: (entry) => {
        remove(entry)
        const { folder, number, text } = entry
        slack.messages.get(folder)?.push({ ts: timeOf(number), user: 'U1', text })
      },
      remove,
    }),
    setReader: (address) => {
      const id = `U${slack.people.length + 1}`
      slack.people.push({ id, name: id, email: address })
      for (const channel of slack.channels.values()) channel.members = [id]
    },
  }
}
