import { Readable } from 'node:stream'
import {
  type ConnectorSource,
  defineConnector,
  type SourceItem,
} from '../../src/server/knowledge/connectors/define-connector.ts'

type Item = Partial<SourceItem> & { text: string }

/** A source whose items, rights and failures a test sets. */
export type ScriptedSource = {
  source: ConnectorSource
  items: Map<string, Item>
  members: { group_key: string; address: string }[]
  /** Called before every request; it may throw or wait. */
  before: (request: {
    kind: 'check' | 'list' | 'read'
    id: string
    /** Aborts a read after its timeout. */
    signal?: AbortSignal
  }) => Promise<void> | void
  /** Number of reads by item. */
  reads: Map<string, number>
  /** Makes the content of an item from its text. */
  contentOf: (text: string) => Readable
}

const wholeText = (text: string) => Readable.from([Buffer.from(text)], { objectMode: false })

/** Creates a source that mirrors rights. Connectors with the same `host` setting share its limits. */
export function aScriptedSource(id = 'scripted', pageSize = 10): ScriptedSource {
  const scripted: ScriptedSource = {
    ...{ items: new Map(), members: [], before: () => undefined, reads: new Map() },
    contentOf: wholeText,
    source: defineConnector({
      id,
      place: 100,
      fields: [
        { name: 'host', type: 'text', required: false },
        { name: 'password', type: 'secret', required: false },
      ],
      ...{ mirrorsRights: true, personal: true, hasFolders: false },
      isOffered: () => true,
      hostOf: ({ host }) => host ?? null,
      open: async () => ({
        check: async () => scripted.before({ kind: 'check', id: '' }),
        async *list(_, cursor) {
          const all = [...scripted.items].filter(([key]) => cursor === null || key > cursor).sort()
          await scripted.before({ kind: 'list', id: cursor ?? '' })
          const part = all.slice(0, pageSize)
          const items = part.map(([key, { text, ...more }]) => ({
            ...{ id: key, path: key, name: key.split('/').at(-1) ?? key, version: text, size: text.length },
            ...more,
          }))
          yield { items, cursor: all.length > pageSize ? (part.at(-1)?.[0] ?? null) : null }
        },
        read: async ({ id: key }, signal) => {
          await scripted.before({ kind: 'read', id: key, signal })
          scripted.reads.set(key, (scripted.reads.get(key) ?? 0) + 1)
          return scripted.contentOf(scripted.items.get(key)?.text ?? '')
        },
        members: async () => scripted.members,
      }),
    }),
  }
  return scripted
}
