import { AppError } from '#shared/platform/errors.ts'
import type { ConnectorSource } from './define-connector.ts'
import { confluence } from './sources/confluence/confluence.ts'
import { folder } from './sources/folder/folder.ts'
import { jira } from './sources/jira/jira.ts'
import { notion } from './sources/notion/notion.ts'
import { slack } from './sources/slack/slack.ts'
import { web } from './sources/web/web.ts'
import { webdav } from './sources/webdav/webdav.ts'

/** Every source, in display order. */
const known: readonly ConnectorSource[] = [folder, webdav, web, confluence, jira, notion, slack]

let added: readonly ConnectorSource[] = []

/** Offers more sources in this process, such as the scripted one of tests. */
export function addSources(sources: readonly ConnectorSource[]): void {
  added = sources
}

export const listKnownSources = (): readonly ConnectorSource[] => [...known, ...added]

/** @throws AppError `not_available` for a source that this version does not know */
export function sourceOf(id: string): ConnectorSource {
  const source = listKnownSources().find((one) => one.id === id)
  if (!source) throw new AppError('not_available', 'This source is not available.')
  return source
}
