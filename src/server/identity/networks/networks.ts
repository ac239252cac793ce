import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import type { AuditAction, AuditChange } from '#shared/identity/audit/audit.ts'
import { contains, formatNetwork, parseAddress, parseNetwork } from '#shared/identity/networks/ip.ts'
import * as contract from '#shared/identity/networks/networks.ts'
import { AppError } from '#shared/platform/errors.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { lockRoles } from '../administration/administration.ts'
import { actorOf, changed, writeAudit } from '../audit/audit.ts'
import {
  deleteNetwork,
  findNetworks,
  hasEnteringAdmin,
  insertNetwork,
  lockCompanyName,
  MAX_NETWORKS,
  type NetworkRow,
  updateNote,
} from './store.ts'

export { clearNetworks } from './clear-networks.ts'
export { isLastEnteringAdmin } from './store.ts'

type Trx = Transaction<Tables>
type Done = { did: AuditAction; row: NetworkRow; changes: AuditChange[] }
type By = { user: Caller; request: FastifyRequest; companyId: string }

/** Serves the networks of companies to their administrators. `platform/access/networks.ts` decides by them. */
export function serveNetworks(server: Server, deps: Platform): void {
  serve(server, contract.listNetworks, {
    handle: async ({ user, request, params: { companyId } }) => {
      const address = addressOf(user, request)
      const rows = await findNetworks(deps.db, companyId)
      return { items: rows.map((row) => show(row, address)), address, is_proxy: isUnnamedProxy(request) }
    },
  })
  serve(server, contract.addNetwork, {
    handle: ({ user, request, params: { companyId }, body }) =>
      change(deps, { user, request, companyId }, (trx) => add(deps, trx, companyId, body)),
  })
  serve(server, contract.changeNetwork, {
    handle: ({ user, request, params, body }) =>
      change(deps, { user, request, companyId: params.companyId }, async (trx) => {
        const note = cleanCharacters(body.note)
        const found = await updateNote(trx, params, note)
        if (!found) throw unknownNetwork()
        const { row, before } = found
        return { did: 'network.changed', row, changes: before === note ? [] : changed('note', before, note) }
      }),
  })
  serve(server, contract.removeNetwork, {
    handle: async ({ user, request, params }) => {
      await change(deps, { user, request, companyId: params.companyId }, async (trx) => {
        const row = await deleteNetwork(trx, params)
        if (!row) throw unknownNetwork()
        return { did: 'network.removed', row, changes: changed('restricts', row.restricts, null) }
      })
    },
  })
}

async function add(
  { clock }: Platform,
  trx: Trx,
  companyId: string,
  {
    restricts,
    network: typed,
    note: written,
  }: { restricts: contract.Restricts; network: string; note: string },
): Promise<Done> {
  const parsed = parseNetwork(typed)
  if (!parsed) {
    const message = 'Enter a network such as 192.0.2.0/24 or 2001:db8::/32, or one address.'
    throw new AppError('invalid', message, { errors: [{ path: 'network', message }] })
  }
  if ((await findNetworks(trx, companyId)).length >= MAX_NETWORKS)
    throw new AppError('conflict', `A company has at most ${MAX_NETWORKS} networks.`)
  const note = cleanCharacters(written)
  const network = formatNetwork(parsed)
  const row = await insertNetwork(trx, companyId, { restricts, network, note, now: clock.now() })
  if (!row) throw new AppError('conflict', 'This network is in the list already.')
  const notes = note ? changed('note', null, note) : []
  return { did: 'network.added', row, changes: [...changed('restricts', null, restricts), ...notes] }
}

/**
 * Changes the networks of a company and refuses a change after which its administrators could not enter. The lock of roles keeps them
 * administrators until the end.
 * @throws AppError `conflict`
 */
async function change(
  deps: Platform,
  { user, request, companyId }: By,
  act: (trx: Trx) => Promise<Done>,
): Promise<contract.CompanyNetwork> {
  const address = addressOf(user, request)
  const row = await deps.db.transaction().execute(async (trx) => {
    await lockRoles(trx)
    const company = await lockCompanyName(trx, companyId)
    if (company === undefined) throw new AppError('not_found', 'Company not found')
    const couldEnter = await hasEnteringAdmin(trx, companyId)
    const done = await act(trx)
    if (done.did !== 'network.changed')
      await assertEnterable(trx, { user, address, companyId, company, couldEnter })
    const entry = { actor: actorOf(user, request), subject: done.row.network, subjectId: done.row.id }
    await writeAudit(trx, deps.clock.now(), { ...entry, companyId, did: done.did, changes: done.changes })
    return done.row
  })
  deps.networks.forget()
  return show(row, address)
}

/**
 * Checks that the caller is in each list of a company that they administer. A super admin of another company is never locked out: their
 * change must not take the last sign-in of its administrators from its networks.
 */
async function assertEnterable(
  trx: Trx,
  {
    user,
    address,
    companyId,
    company,
    couldEnter,
  }: Pick<By, 'user' | 'companyId'> & { address: string; company: string; couldEnter: boolean },
): Promise<void> {
  const rows = await findNetworks(trx, companyId)
  const isOwn = user.company_affiliations.some(
    (own) => own.company.id === companyId && own.role.name !== 'member',
  )
  if (isOwn) {
    const isLockedOut = contract.Restricts.options.some((restricts) => {
      const list = rows.filter((row) => row.restricts === restricts)
      return list.length > 0 && !list.some((row) => isIn(row, address))
    })
    if (isLockedOut)
      throw refusal(
        'network',
        `Your own address ${address} would not be in the list, so you would lock yourself out. Add it first.`,
      )
    return
  }
  if (couldEnter && !(await hasEnteringAdmin(trx, companyId)))
    throw refusal(
      'administrators',
      `No administrator of ${company} has signed in from these networks, so all of them would be locked out.`,
    )
}

/** `path` names those whom the change would lock out: the caller, whose address is not in the networks, or all administrators. */
function refusal(path: 'network' | 'administrators', message: string): AppError {
  return new AppError('conflict', message, { errors: [{ path, message }] })
}

const addressOf = (user: Caller, request: FastifyRequest) => actorOf(user, request).address ?? ''

function isIn({ network }: NetworkRow, address: string): boolean {
  const [parsed, from] = [parseNetwork(network), parseAddress(address)]
  return parsed !== null && from !== null && contains(parsed, from)
}

/** A trusted proxy puts its own address before the ones it forwards. */
const isUnnamedProxy = ({ headers, ips = [] }: FastifyRequest) =>
  headers['x-forwarded-for'] !== undefined && ips.length <= 1

const unknownNetwork = () => new AppError('not_found', 'This network is not in the list.')

function show(row: NetworkRow, address: string): contract.CompanyNetwork {
  const { id, restricts, network, note, created_at } = row
  return {
    id,
    restricts,
    network,
    note,
    created_at: created_at.toISOString(),
    has_caller: isIn(row, address),
  }
}
