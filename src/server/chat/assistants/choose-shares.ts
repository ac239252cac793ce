import type { AssistantChanges } from '#shared/chat/assistants/assistants.ts'
import { AppError } from '#shared/platform/errors.ts'
import { administeredBy, companyToShareWith } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Share } from './share-store.ts'

/** The shares of an assistant before a save, and the user's rights over them. */
type Before = { shared: boolean; shares: Share[]; own: boolean; can_share: boolean }

/**
 * Returns the companies to share with, `none` to end every share, or undefined to keep them. Users share with companies they
 * administer; the owner may withdraw any share. @throws AppError `forbidden`
 */
export function chooseShares(
  user: Caller,
  wish: Pick<AssistantChanges, 'shared' | 'shares'>,
  before: Before,
): Share[] | 'none' | undefined {
  if (before.own && before.shared && wish.shared === false && !wish.shares) return 'none'
  const wanted = wish.shares ?? fromSwitch(user, wish.shared, before)
  if (!wanted) return undefined
  const after = new Map(wanted.map(({ company_id, access }) => [company_id, access]))
  const was = new Map(before.shares.map(({ company_id, access }) => [company_id, access]))
  const touched = [...new Set([...was.keys(), ...after.keys()])].filter((id) => was.get(id) !== after.get(id))
  if (touched.length === 0) return undefined
  if (!before.can_share)
    throw new AppError(
      'forbidden',
      'Only its owner and administrators decide with whom an assistant is shared.',
    )
  const administered = administeredBy(user)
  const isNarrower = (id: string) => was.has(id) && after.get(id) !== 'edit'
  if (touched.some((id) => !administered.includes(id) && !(before.own && isNarrower(id))))
    throw new AppError('forbidden', 'Only an administrator of a company can share an assistant with it.')
  return [...after].map(([company_id, access]) => ({ company_id, access }))
}

/** Translates the share switch: existing shares stay, a new one goes to the first company the user administers. */
function fromSwitch(user: Caller, shared: boolean | undefined, before: Before): Share[] | undefined {
  if (shared === undefined || shared === before.shared) return undefined
  return shared ? [{ company_id: companyToShareWith(user), access: 'use' }] : []
}
