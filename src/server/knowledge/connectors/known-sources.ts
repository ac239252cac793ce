import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import type { ConnectorSource } from './define-connector.ts'
import { confluence } from './sources/confluence/confluence.ts'
import { folder } from './sources/folder/folder.ts'
import { git } from './sources/git/git.ts'
import { googleDrive } from './sources/google-drive/google-drive.ts'
import { imap } from './sources/imap/imap.ts'
import { jira } from './sources/jira/jira.ts'
import { microsoftFiles } from './sources/microsoft-files/microsoft-files.ts'
import { notion } from './sources/notion/notion.ts'
import { s3 } from './sources/s3/s3.ts'
import { slack } from './sources/slack/slack.ts'
import { web } from './sources/web/web.ts'
import { webdav } from './sources/webdav/webdav.ts'

/** Every source, in display order. */
const known: readonly ConnectorSource[] = [
  ...[folder, webdav, googleDrive, microsoftFiles],
  ...[confluence, jira, notion, slack],
  ...[s3, imap, git, web],
]

let added: readonly ConnectorSource[] = []

/** Offers more sources in this process, such as the scripted one of tests. */
export function addSources(sources: readonly ConnectorSource[]): void {
  added = sources
}

export const listKnownSources = (): readonly ConnectorSource[] => [...known, ...added]

/** Returns the settings of the installation that a source lacks. */
export const missingSettings = ({ signIn }: ConnectorSource, config: Config): string[] =>
  (signIn?.needs ?? []).filter((name) => !config[name])

/** Returns the sources that this installation offers, in display order. */
export const listOffered = (config: Config): ConnectorSource[] =>
  listKnownSources().filter((one) => one.isOffered(config) && missingSettings(one, config).length === 0)

/** @throws AppError `not_available` for a source that this version does not know */
export function sourceOf(id: string): ConnectorSource {
  const source = listKnownSources().find((one) => one.id === id)
  if (!source) throw new AppError('not_available', 'This source is not available.')
  return source
}
