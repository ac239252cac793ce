import { AppError } from '#shared/platform/errors.ts'
import type * as actions from '#shared/tools/actions/action-port.ts'
import { toolError } from '#shared/tools/tools/tool-errors.ts'
import { type RunContext, UnknownOutcome } from '../../runs/runs/runs.ts'
import { assertNotWithheld } from '../withholding/withholding.ts'
import type { AccountDeps } from './accounts/account-deps.ts'
import { accountsFor, type meansOf, openStored } from './accounts/open-accounts.ts'
import { findBegun, keepBegun, type StoredAccount } from './accounts/personal-account-store.ts'
import type { Once, OpenAccount } from './providers/provider-port.ts'

type Means = (typeof meansOf)[keyof typeof meansOf][number]
type Run = Pick<RunContext, 'input'>
type Opened = OpenAccount & Pick<StoredAccount, 'kind'>
/** The call of a tool. `isResumed`: it only looks for what an earlier attempt did. */
type Calling = { executionId: string; isResumed: boolean; signal: AbortSignal }

/**
 * Returns the account that a run uses: always one of the person whose message, schedule or call it answers. A run that answers words of
 * others uses none, and neither does a chat that others read, because its answers would show them the mails of its person.
 * @throws AppError `not_connected`, `forbidden`
 */
export async function chooseAccount(
  deps: AccountDeps,
  { input }: Run,
  means: Means,
  address?: string,
): Promise<StoredAccount> {
  await assertNotWithheld(deps.db, input, 'accounts')
  const accounts = await accountsFor(deps.db, input.user_id, means)
  const wanted = address?.toLowerCase()
  const found = accounts.find((one) => wanted === undefined || one.address.toLowerCase() === wanted)
  if (found) return found
  if (accounts.length === 0) throw new AppError('not_connected', toolError('no_account'))
  throw new AppError('not_found', toolError('other_account', { account: address ?? '' }))
}

/** Gives a tool access to the accounts of the person of its run. */
export function createActionPort(deps: AccountDeps, run: Run, calling: Calling): actions.ActionPort {
  const { signal, executionId, isResumed } = calling
  const userId = run.input.user_id
  const open = async (means: Means, address: string | undefined): Promise<Opened> => {
    const stored = await chooseAccount(deps, run, means, address)
    return { kind: stored.kind, ...openStored(deps, userId, stored, signal) }
  }
  const mailOf = async (address: string | undefined) => {
    const account = await open('mail', address)
    return { account, mail: required(account.mail) }
  }
  const once = async ({ kind }: Opened): Promise<Once> => {
    const begun = await findBegun(deps.db, executionId)
    const isSame = begun === undefined || begun.kind === null || begun.kind === kind
    // The account was replaced, and the new one does not know what the old one did.
    if (isResumed && !isSame) throw new UnknownOutcome()
    const handle = isSame ? (begun?.handle ?? null) : null
    const keep = (now: string | null) =>
      keepBegun(deps.db, { executionId, userId }, { kind, handle: now }, deps.clock.now())
    if (!isResumed) await keep(handle)
    return { key: executionId, isResumed, handle, keep }
  }
  return {
    searchMail: async (query) => (await mailOf(query.account)).mail.search(query),
    readMail: async ({ account, id }) => (await mailOf(account)).mail.read(id),
    listEvents: async (range) => required((await open('calendar', range.account)).calendar).list(range),
    sendMail: async ({ from, to = [], cc = [], bcc = [], subject = '', body, reply_to }) => {
      if (to.length + cc.length + bcc.length === 0)
        throw new AppError('invalid', 'The mail has no recipient. Name at least one in “to”.')
      const { account, mail } = await mailOf(from)
      const answers = reply_to === undefined || isResumed ? null : await mail.find(reply_to)
      const sender = { name: account.name, address: account.address }
      const outgoing = { from: sender, to, cc, bcc, subject, body, answers }
      const sent = await mail.send(outgoing, await once(account))
      return { account: account.address, ...sent }
    },
    fileMail: async (filing) => {
      const { account, mail } = await mailOf(filing.account)
      return { account: account.address, ...(await mail.file(filing, await once(account))) }
    },
    createEvent: async (event) => {
      if (Date.parse(event.ends) <= Date.parse(event.starts))
        throw new AppError('invalid', 'The event ends before it starts.')
      const account = await open('calendar', event.account)
      const created = await required(account.calendar).create(event, await once(account))
      return { account: account.address, ...created }
    },
    createTicket: async (ticket) => {
      const account = await open('tickets', ticket.account)
      const created = await required(account.tickets).create(ticket, await once(account))
      return { account: account.address, ...created }
    },
  }
}

function required<Service>(service: Service | undefined): Service {
  if (!service) throw new Error('An account lacks what it was chosen for.')
  return service
}
