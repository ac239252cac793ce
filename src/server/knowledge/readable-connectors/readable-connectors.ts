import * as contract from '#shared/knowledge/connectors/readable-connectors.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Person } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { findReadable, listReadable } from './readable-connector-store.ts'

/** Serves the connectors that reach a person. */
export function serveReadableConnectors(server: Server, { db }: Pick<Platform, 'db'>): void {
  serve(server, contract.listReadableConnectors, {
    handle: ({ query, principal }) => listReadable(db, principal, query),
  })
}

/** Returns a connector that reaches the person. @throws AppError `not_found` */
export async function findReadableConnector(
  db: Platform['db'],
  person: Person,
  id: string,
): Promise<contract.ReadableConnector> {
  const connector = await findReadable(db, person, id)
  if (!connector) throw new AppError('not_found', 'Connector not found')
  return connector
}
