import type { Settings, SourceField, SourceFolder } from '#shared/knowledge/connectors/sources.ts'
import { namedWithKey } from './item-names.ts'

const MAX_FOLDERS = 500

/** Settings of a site of Confluence or Jira, Cloud or Data Center. */
export const atlassianFields: SourceField[] = [
  { name: 'edition', type: 'choice', required: true, options: ['cloud', 'data-center'], value: 'cloud' },
  { name: 'address', type: 'address', required: true },
  { name: 'email', type: 'text', required: false },
  { name: 'token', type: 'secret', required: true },
]

/** Returns the host of a site; null for settings without one. */
export const hostOfSite = ({ address = '' }: Settings): string | null => URL.parse(address)?.host ?? null

/** A space or a project. */
type Keyed = { name: string; key: string }

/** Returns the path of the folder of a space or project. */
export const pathOf = ({ name, key }: Keyed): string => namedWithKey(name, key)

/** Returns the folders of all spaces or projects, by name. They contain no others. */
export function listKeyedFolders(all: readonly Keyed[]): { items: SourceFolder[]; has_more: boolean } {
  const paths = all.map(pathOf).sort()
  const items = paths.map((path) => ({ path, name: path, has_folders: false }))
  return { items: items.slice(0, MAX_FOLDERS), has_more: items.length > MAX_FOLDERS }
}
