import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('.', import.meta.url).pathname
const files = globSync('{server,tools}/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .sort()

/** Matches unbounded JSON parsing. `answer.json()` of the guarded fetch is bounded and awaited. */
const parses = /\bJSON\.parse\(|\.json\(\)/
/** Matches parsers of HTML, XML or YAML trees. */
const parsesTrees = /from '(hast-util-from-html|parse5|linkedom|saxes|js-yaml|yaml)'/

/** The only place that parses untrusted bytes. */
const reader = /^server\/platform\/outbound\/(foreign\/|outbound\.ts$)/

/** Files that parse the product's own or already bounded data, each with its reason. */
const own: Record<string, string> = {
  'server/identity/accounts/scim/read-filter.ts': 'a quoted value of a filter of at most 1,000 characters',
  'server/lifecycle/backup/check-archive.ts': 'an entry of an archive, bounded while it is read',
  'server/lifecycle/backup/contents.ts': 'an entry of an archive, bounded while it is read',
  'server/lifecycle/backup/read-archive.ts': 'an entry of an archive, bounded while it is read',
  'server/platform/process/version.ts': 'package.json',
  'server/chat/branches/read-branches.ts': 'rows of the database',
  'server/chat/schedules/triggers/triggers.ts': 'bodies that it stored',
  'server/platform/db/postgres/binaries.ts': 'package.json',
  'server/knowledge/documents/pipeline/parse.ts': 'lines of its own reader',
  'server/runs/events/announcements.ts': 'notes of the database',
  'server/runs/events/notes.ts': 'notes of the database',
  'server/runs/events/relay.ts': 'messages between its processes',
  'server/runs/events/sent-frames.ts': 'notes of the database',
  'server/platform/http/bodies/body-thread.ts': 'counted before, in a thread of its own',
  'server/platform/http/translations/read-texts.ts': 'its own translations',
  'server/runs/input-requests/approvals.ts': 'an answer of a person, bounded as a body',
  'server/runs/input-requests/check-input.ts': 'an answer of a person, bounded as a body',
  'server/platform/mcp/messages/read-messages.ts':
    'messages that were counted in the line before, in a thread where they are large',
  'server/platform/mcp/web-server.ts': 'its own requests',
  'server/platform/mcp/messages/read-line.ts': 'messages that were counted and tidied',
  'server/lifecycle/notifications/answering/answer-token.ts': 'a text that it sealed',
  'server/models/models/belief-turn.ts': 'its own turn',
  'server/models/models/built-in-embedding/model.ts': 'files of its own model',
  'server/platform/process/map-stacks.ts': 'source maps of its own build',
  'server/models/models/installed/embedding-folder.ts': 'files an administrator installed',
  'server/models/models/installed/model-files.ts': 'files an administrator installed',
  'server/models/models/installed/local/ask-engine.ts': 'lines of its own process',
  'server/models/models/installed/local/chat-folder.ts': 'what its own trial wrote',
  'server/models/models/installed/local/local-child.ts': 'requests of its own process',
  'server/models/models/offline/results.ts': 'its own tool results',
  'server/models/models/offline/weather.ts': 'its own tool results',
  'server/api/openai/follow-run.ts': 'its own events',
  'server/api/openai/audio/hear-recording.ts': 'lines of its own reader',
  'server/tools/own-tools/http/shape-answer.ts': 'the shaped answer, which its thread bounds',
  'server/tools/own-tools/http/shape-text.ts': 'counted in the line before, in a thread where it is large',
  'server/tools/own-tools/oauth/find-service.ts': 'what it sealed',
  'server/tools/own-tools/oauth/open-account.ts': 'what it sealed',
  'server/tools/own-tools/oauth/visit.ts': 'what it sealed',
  'server/tools/own-tools/openapi/description.ts': 'counted before, in a thread of its own',
  'server/tools/own-tools/openapi/import-set.ts': 'what it made',
  'server/platform/parsing/parsing.ts': 'the summary of its own reader',
  'server/identity/programs/client-id.ts': 'what it sealed',
  'server/identity/announcements/mailing/unsubscribe.ts': 'what it sealed',
  'server/lifecycle/notifications/sending/notification-token.ts': 'what it sealed',
  'server/runs/runs/context/create-context.ts': 'its own journal',
  'server/runs/runs/inherit.ts': 'its own journal',
  'server/runs/runs/rest/give-answer.ts': 'its own journal',
  'server/runs/runs/watch/watch.ts': 'messages between its processes',
  'server/platform/sandbox/frames.ts': 'frames, bounded by their header',
  'server/platform/sandbox/probe-box.ts': 'its own probe',
  'server/models/masking/chat-values.ts': 'what it sealed',
  'server/models/service-connections/service-connections.ts': 'what it sealed',
  'server/tools/tool-interfaces/ticket.ts': 'what it sealed',
  'server/knowledge/documents/library/playback.ts': 'what it sealed',
  'server/knowledge/connectors/engine/open-source.ts': 'what it sealed',
  'server/knowledge/connectors/sign-in/open-account.ts': 'what it sealed',
  'server/knowledge/connectors/sign-in/serve-sign-in.ts': 'what it sealed',
  'server/knowledge/connectors/requests/list-parts.ts': 'a cursor that it stored',
  'server/knowledge/connectors/requests/numbered-list.ts': 'a cursor that it stored',
  'server/knowledge/connectors/sources/google-drive/drive-changes.ts': 'a token that it stored',
  'server/knowledge/connectors/sources/google-drive/drive-listing.ts': 'a cursor that it stored',
  'server/knowledge/connectors/sources/microsoft-files/graph-listing.ts': 'a cursor that it stored',
  'server/knowledge/connectors/sources/google-drive/drive-watch.ts': 'channels that it stored',
  'server/knowledge/connectors/sources/microsoft-files/graph-watch.ts': 'subscriptions that it stored',
  'server/tools/actions/accounts/account-tokens.ts': 'what it sealed',
  'server/tools/actions/accounts/open-accounts.ts': 'what it sealed',
  'server/tools/actions/accounts/serve-personal-accounts.ts': 'what it sealed',
  'server/knowledge/file-picks/open-pick.ts': 'what it sealed',
  'server/knowledge/file-picks/pick-visit.ts': 'what it sealed',
  'server/knowledge/connectors/sources/imap/imap-source.ts': 'a cursor that it stored',
  'server/knowledge/connectors/sources/s3/s3-source.ts': 'a cursor that it stored',
  'server/knowledge/connectors/sources/webdav/webdav-source.ts': 'a cursor that it stored',
  'server/platform/vectors/vector-table.ts': 'its own rows',
}
/** Calls of `json()` on the guarded fetch. */
const guarded = [
  ...['server/knowledge/web-search/ask-engines.ts', 'server/models/connections/local-servers.ts'],
  ...['server/tools/own-tools/http/authenticate.ts', 'server/models/service-connections/make-sheet.ts'],
  'server/identity/accounts/sign-on-providers/try-openid.ts',
  'server/knowledge/connectors/sources/google-drive/drive-requests.ts',
  'server/knowledge/connectors/sources/microsoft-files/graph-requests.ts',
  ...['server/api/channels/slack/slack-requests.ts', 'server/api/channels/teams/teams-requests.ts'],
  'server/api/channels/teams/verify-token.ts',
  'server/tools/actions/providers/google/google-account.ts',
  'server/tools/actions/providers/jira/jira-account.ts',
  'server/tools/actions/providers/microsoft/microsoft-account.ts',
  'server/tools/actions/providers/signed-json.ts',
  ...['tools/prospecting/register.ts', 'tools/prospecting/run.ts', 'tools/weather/run.ts'],
]
const trees = [
  ...[
    'server/identity/accounts/sign-on/saml/confirm-assertion.ts',
    'server/identity/accounts/sign-on/saml/read-metadata.ts',
    'server/identity/accounts/sign-on/saml/signature-algorithms.ts',
  ],
  'server/knowledge/connectors/source-requests.ts',
  ...['server/knowledge/link-previews/read-head.ts', 'server/tools/own-tools/openapi/description.ts'],
  ...['server/tools/tool-interfaces/without-frames.ts', 'server/chat/exports/writers/math/read-math.ts'],
]

const read = (file: string) => readFileSync(root + file, 'utf8')
const holds = (pattern: RegExp) => files.filter((file) => pattern.test(read(file)) && !reader.test(file))

describe('bytes from services, programs and models', () => {
  it('are parsed as JSON only in one place, which bounds them', () => {
    expect(holds(parses).filter((file) => !(file in own) && !guarded.includes(file))).toEqual([])
  })

  it('are parsed as a tree only after a size check', () => {
    expect(holds(parsesTrees).filter((file) => !trees.includes(file))).toEqual([])
  })

  it('are fetched with the bounded fetch or read in chunks', () => {
    const fetches = files.filter((file) => /(?<![.\w])fetch\(/.test(read(file)) && !reader.test(file))
    expect(
      fetches.filter(
        (file) =>
          !/^(server\/models\/(models\/(images|transcribe)|providers\/(cohere|bedrock))|tools\/)/.test(file),
      ),
    ).toEqual(['server/identity/accounts/sign-on/saml/read-metadata.ts'])
  })

  it('have no unused exceptions', () => {
    const used = holds(parses)
    expect([...Object.keys(own), ...guarded].filter((file) => !used.includes(file))).toEqual([])
    expect(trees.filter((file) => !holds(parsesTrees).includes(file))).toEqual([])
  })
})
