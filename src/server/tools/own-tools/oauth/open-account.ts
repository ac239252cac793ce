import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { toolError } from '#shared/tools/tools/tool-errors.ts'
import { isFresh, refreshTokens, renewOnce, Tokens } from '../../../platform/outbound/oauth/oauth.ts'
import { isSameService, Service } from '../../../platform/outbound/oauth/oauth-service.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { findAccount, holdAccount, removeAccount, type Whose, writeTokens } from './account-store.ts'

/** The sealed data of an account: its tokens, with the service and the origins they are for. */
export const Kept = z.object({ service: Service, origins: z.array(z.string()), ...Tokens.shape })
export type Kept = z.infer<typeof Kept>

/** A person's account, as used by calls. */
export type Account = {
  /** Changes whenever the account is connected again. */
  id: string
  /** Returns a valid token. @throws AppError `conflict` if the account is no longer connected, `unavailable` */
  token: () => Promise<string>
  /** Gets a new token after the last one was refused. @throws the same */
  renew: () => Promise<void>
}

type Use = Whose & {
  service: Service | null
  /** The origin that receives the token. */
  origin: string
  /** The page where a person connects their account. */
  page: string
}

/**
 * Returns the account a person connected for the tools of a set. It is invalid if the tools' service or origin has changed
 * since, because the tools' owner can change both and could redirect other people's tokens.
 * @throws AppError `conflict` with a sentence that says where to connect it
 */
export async function openAccount(deps: OwnToolDeps, use: Use): Promise<Account> {
  const row = await findAccount(deps.db, use)
  const kept = row && open(deps, row.sealed)
  if (!row || !kept || !isFor(kept, use)) throw notConnected(use)
  let given = kept.access
  return {
    id: row.id,
    token: async () => {
      const now = await findAccount(deps.db, use)
      const known = now && open(deps, now.sealed)
      if (!known || now.id !== row.id) throw notConnected(use)
      given = isFresh(deps, known) ? known.access : await refreshOnce(deps, use, known.access)
      return given
    },
    renew: async () => {
      given = await refreshOnce(deps, use, given)
    },
  }
}

export const open = ({ secrets }: Pick<OwnToolDeps, 'secrets'>, sealed: string): Kept =>
  Kept.parse(JSON.parse(secrets.open(sealed)))

function isFor({ service, origins }: Kept, use: Use): boolean {
  return use.service !== null && isSameService(service, use.service) && origins.includes(use.origin)
}

async function refreshOnce(deps: OwnToolDeps, use: Use, refused: string): Promise<string> {
  let id = ''
  const access = await renewOnce<Kept>(
    deps.db,
    {
      key: `account ${use.setId} ${use.userId}`,
      hold: async (trx) => {
        const row = await holdAccount(trx, use)
        id = row?.id ?? ''
        return row ? open(deps, row.sealed) : null
      },
      refresh: async (kept) => {
        if (!use.service) return null
        const service = { ...use.service, method: kept.service.method ?? use.service.method }
        return refreshTokens(deps, service, kept, deps.config.ATRIUM_TOOLS_PRIVATE)
      },
      write: (trx, kept) => writeTokens(trx, id, deps.secrets.seal(JSON.stringify(kept))),
      end: (trx) => removeAccount(trx, id),
    },
    refused,
  )
  if (access === null) throw notConnected(use)
  return access
}

function notConnected({ service, origin, page }: Use): AppError {
  const host = new URL(service?.authorize ?? origin).host
  return new AppError('not_connected', toolError('not_connected', { service: host, page }))
}
