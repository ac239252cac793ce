import * as z from 'zod'
import { Settings } from '#shared/knowledge/connectors/sources.ts'
import { AppError } from '#shared/platform/errors.ts'
import { MEGABYTE } from '../../platform/limits.ts'
import { isFresh } from '../../platform/outbound/oauth/oauth.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import { explaining, type OpenedSource, SignedOut, type SourceAccount } from '../connectors/connectors.ts'
import type { PickRow } from './pick-store.ts'
import { wayOf } from './pick-ways.ts'

/** A sealed sign-in: a token of the page of the source, or the secrets of the settings. */
export const Sealed = z.object({
  access: z.string().nullable(),
  /** Unix time in milliseconds; null if the source does not say. */
  until: z.number().nullable(),
  secrets: Settings,
})
export type Sealed = z.infer<typeof Sealed>

/** Opens the source of a pick for one use. @throws AppError `not_available` without a sign-in, `unavailable`, `not_found` */
export function withPick<T>(
  deps: RunDeps,
  pick: Pick<PickRow, 'way' | 'settings' | 'sealed'>,
  seconds: number,
  use: (source: OpenedSource, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { config, outbound } = deps
  const { source, way } = wayOf(config, pick.way)
  const kept = openSealed(deps, pick.sealed)
  return explaining(seconds * 1000, (signal) => {
    const settings = { ...pick.settings, ...kept?.secrets }
    const maxBytes = config.ATRIUM_MAX_UPLOAD_MB * MEGABYTE
    const account = way.signIn ? accountOf(deps, kept) : null
    const opened = source.open({ settings, config, outbound, maxBytes, mirrors: false, account, signal })
    return { opened, use: (one: OpenedSource) => use(one, signal) }
  })
}

/** The token is not renewed: a pick is over before it expires, or the person signs in again. */
function accountOf(deps: RunDeps, kept: Sealed | null): SourceAccount {
  const ended = async (): Promise<string> => {
    throw new SignedOut('The sign-in has ended. Sign in again.')
  }
  const access = kept?.access
  if (!access) return { token: ended, renew: ended }
  return { token: async () => (isFresh(deps, kept) ? access : ended()), renew: ended }
}

function openSealed({ secrets }: Pick<RunDeps, 'secrets'>, sealed: string | null): Sealed | null {
  if (sealed === null) return null
  try {
    return Sealed.parse(JSON.parse(secrets.open(sealed)))
  } catch (error) {
    throw new AppError('not_available', 'The sign-in has ended. Sign in again.', { cause: error })
  }
}
