import type { PickWay as ShownWay } from '#shared/knowledge/file-picks/file-picks.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import { type ConnectorSource, listKnownSources, type PickWay } from '../connectors/connectors.ts'

export type Way = { source: ConnectorSource; way: PickWay }

/** Returns the ways of this installation, in the order of their sources. */
const listWays = (config: Config): Way[] =>
  listKnownSources()
    .filter((source) => source.isOffered(config))
    .flatMap((source) => (source.picks ?? []).map((way) => ({ source, way })))
    .filter(({ way }) => (way.signIn?.needs ?? []).every((name) => config.declared[name]))

export const showWays = (config: Config): ShownWay[] =>
  listWays(config).map(({ source, way }) => ({
    ...{ id: way.id, source: source.id, fields: way.fields },
    ...{ signs_in: way.signIn !== undefined, picks_there: way.picksThere },
  }))

/** @throws AppError `not_available` */
export function wayOf(config: Config, id: string): Way {
  const found = listWays(config).find(({ way }) => way.id === id)
  if (!found) throw new AppError('not_available', 'Files of this source cannot be picked here.')
  return found
}
