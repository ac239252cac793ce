import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('.', import.meta.url).pathname
const files = globSync('{server,tools}/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .sort()

/** Reads JSON, or a body as JSON, without a bound; `answer.json()` of the guarded way out has one and is awaited. */
const parses = /\bJSON\.parse\(|\.json\(\)/
/** Reads HTML, XML or YAML as a tree. */
const parsesTrees = /from '(hast-util-from-html|parse5|linkedom|saxes|js-yaml|yaml)'/

/** The one place where bytes of strangers are parsed. */
const reader = /^server\/outbound\/(foreign\/|outbound\.ts$)/

/** Files that parse what this product wrote itself, or has bounded in the lines before; each says which. */
const own: Record<string, string> = {
  'server/accounts/scim/scim.ts': 'a body, bounded by the routes of directories',
  'server/backup/archive.ts': 'its own archive',
  'server/backup/back-up.ts': 'package.json',
  'server/backup/restore.ts': 'its own archive',
  'server/branches/read-branches.ts': 'rows of the database',
  'server/db/postgres/binaries.ts': 'package.json',
  'server/documents/pipeline/parse.ts': 'lines of its own reader',
  'server/events/announcements.ts': 'notes of the database',
  'server/events/notes.ts': 'notes of the database',
  'server/events/relay.ts': 'messages between its processes',
  'server/events/sent-frames.ts': 'notes of the database',
  'server/http/translations.ts': 'its own translations',
  'server/input-requests/approvals.ts': 'an answer of a person, bounded as a body',
  'server/input-requests/check-input.ts': 'an answer of a person, bounded as a body',
  'server/mcp/messages/read-messages.ts':
    'messages that were counted in the line before, in a thread where they are large',
  'server/mcp/program.ts': 'messages that were counted and tidied',
  'server/models/belief-turn.ts': 'its own turn',
  'server/models/built-in-embedding/model.ts': 'files of its own model',
  'server/models/installed/embedding-folder.ts': 'files an administrator installed',
  'server/models/installed/model-files.ts': 'files an administrator installed',
  'server/models/offline/results.ts': 'its own tool results',
  'server/models/offline/weather.ts': 'its own tool results',
  'server/openai/follow-run.ts': 'its own events',
  'server/openai/hear-recording.ts': 'lines of its own reader',
  'server/own-tools/http/shape-answer.ts': 'the shaped answer, which its thread bounds',
  'server/own-tools/http/shape-text.ts': 'counted in the line before, in a thread where it is large',
  'server/own-tools/oauth/find-service.ts': 'what it sealed',
  'server/own-tools/oauth/open-account.ts': 'what it sealed',
  'server/own-tools/oauth/visit.ts': 'what it sealed',
  'server/own-tools/openapi/description.ts': 'counted before, in a thread of its own',
  'server/own-tools/openapi/import-set.ts': 'what it made',
  'server/parsing/parsing.ts': 'the summary of its own reader',
  'server/programs/client-id.ts': 'what it sealed',
  'server/runs/context/create-context.ts': 'its own journal',
  'server/runs/inherit.ts': 'its own journal',
  'server/runs/rest/give-answer.ts': 'its own journal',
  'server/runs/watch.ts': 'messages between its processes',
  'server/sandbox/frames.ts': 'frames, bounded by their header',
  'server/sandbox/probe.ts': 'its own probe',
  'server/service-connections/service-connections.ts': 'what it sealed',
  'server/tool-interfaces/ticket.ts': 'what it sealed',
  'server/documents/library/playback.ts': 'what it sealed',
  'server/vectors/vector-table.ts': 'its own rows',
}
/** Calls of `json()` on the guarded way out. */
const guarded = [
  ...['server/web-search/ask-engines.ts', 'server/connections/local-servers.ts'],
  ...['server/own-tools/http/authenticate.ts', 'server/service-connections/make-sheet.ts'],
  ...['tools/prospecting/register.ts', 'tools/prospecting/run.ts', 'tools/weather/run.ts'],
]
const trees = [
  ...['server/accounts/sign-on/saml/confirm-assertion.ts', 'server/accounts/sign-on/saml/read-metadata.ts'],
  ...['server/link-previews/read-head.ts', 'server/own-tools/openapi/description.ts'],
  'server/tool-interfaces/without-frames.ts',
]

const read = (file: string) => readFileSync(root + file, 'utf8')
const holds = (pattern: RegExp) => files.filter((file) => pattern.test(read(file)) && !reader.test(file))

describe('bytes of services, programs and models', () => {
  it('are parsed as JSON in one place, which bounds them', () => {
    expect(holds(parses).filter((file) => !(file in own) && !guarded.includes(file))).toEqual([])
  })

  it('are read as a tree only where they are bounded before', () => {
    expect(holds(parsesTrees).filter((file) => !trees.includes(file))).toEqual([])
  })

  it('are fetched by the bounded fetch, or read piece by piece', () => {
    const fetches = files.filter((file) => /(?<![.\w])fetch\(/.test(read(file)) && !reader.test(file))
    expect(
      fetches.filter((file) => !/^(server\/models\/(images|sdk|transcribe)|tools\/)/.test(file)),
    ).toEqual(['server/accounts/sign-on/saml/read-metadata.ts'])
  })

  it('have no exception that nothing needs', () => {
    const used = holds(parses)
    expect([...Object.keys(own), ...guarded].filter((file) => !used.includes(file))).toEqual([])
    expect(trees.filter((file) => !holds(parsesTrees).includes(file))).toEqual([])
  })
})
