import { AppError } from '#shared/platform/errors.ts'
import type { McpConnecting, ServerAddress } from '#shared/tools/own-tools/mcp-servers.ts'
import { administeredBy, type Person, reaches } from '../../../platform/access/access.ts'
import type { OwnToolDeps } from '../secrets-of.ts'

type Deps = Pick<OwnToolDeps, 'config'>

/**
 * Returns which servers a person may connect. Commands run on this machine, so they are limited to super admins whatever
 * the setting says.
 */
export function connectingOf({ config }: Deps, person: Person): McpConnecting {
  const stdio = reaches(person, 'super_admin')
  const who = config.ATRIUM_MCP_SERVERS
  return {
    stdio,
    http: stdio || who === 'everybody' || (who === 'admins' && administeredBy(person).length > 0),
  }
}

/** @throws AppError `forbidden`, `invalid` for an invalid address */
export function assertMayConnect(deps: Deps, person: Person, address: ServerAddress): void {
  const may = connectingOf(deps, person)
  if (address.kind === 'stdio' && !may.stdio) throw notThisMachine()
  if (address.kind === 'http' && !may.http)
    throw new AppError('forbidden', 'Only administrators may connect MCP servers here.')
  if (address.kind === 'http' && (!/^https?:\/\//i.test(address.url) || !URL.canParse(address.url)))
    throw new AppError('invalid', 'The address of an MCP server must begin with http:// or https://.')
}

/** @throws AppError `forbidden` */
export function assertMayRun(person: Person): void {
  if (!reaches(person, 'super_admin')) throw notThisMachine()
}

const notThisMachine = () =>
  new AppError('forbidden', 'Only super admins may connect a command on this machine.')
