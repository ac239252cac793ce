import { AppError } from '#shared/platform/errors.ts'
import * as contract from '#shared/tools/prospecting/prospecting.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../deps.ts'
import { readExecution } from '../tool-runs/tool-runs.ts'
import { sendToCrm } from './send-to-crm.ts'
import { importedOf, noteImported } from './store.ts'

const TOOL = 'prospecting'
/** Prospects sent concurrently. */
const MAX_CONCURRENT = 4

/** Serves the import of prospects into the company's CRM. */
export function serveProspecting(server: Server, deps: Deps): void {
  const { db, config } = deps
  const underWay = new Set<string>()
  serve(server, contract.importProspects, {
    handle: async ({ user, params: { executionId }, request }) => {
      const row = await findAllowed(db, user, 'write execution', executionId)
      const { tool_id, result } = await readExecution(deps, row)
      const list = tool_id === TOOL ? contract.ProspectList.safeParse(result).data : undefined
      if (!list) throw new AppError('conflict', 'This execution has no prospects.')
      if (!config.CRM_URL)
        throw new AppError('not_available', 'No CRM is configured. An administrator can set CRM_URL.')
      if (underWay.has(executionId)) throw new AppError('conflict', 'This import is already in progress.')
      underWay.add(executionId)
      try {
        // Recorded first, because no data may leave the installation unseen.
        const changes = changed('CRM', null, String(list.prospects.length))
        const entry = { subject: executionId, changes }
        await auditBy(deps, { user, request })(db, { did: 'export.created', ...entry })
        return await importAll(deps, executionId, list.prospects)
      } finally {
        underWay.delete(executionId)
      }
    },
  })
}

/** Sends each prospect that was not accepted yet, once. The CRM detects repeats by their key. */
async function importAll(
  deps: Pick<Deps, 'db' | 'config' | 'outbound'>,
  executionId: string,
  prospects: readonly contract.Prospect[],
): Promise<contract.ImportResult> {
  const taken = await importedOf(deps.db, executionId)
  const left = prospects
    .map((prospect, place) => ({ prospect, place }))
    .filter(({ place }) => !taken.has(place))
  const failures: (contract.ImportResult['failures'][number] & { place: number })[] = []
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { prospect, place } = next
      const reason = await sendToCrm(deps, prospect, `${executionId}-${place}`)
      if (reason === null) await noteImported(deps.db, executionId, place)
      else failures.push({ place, société: prospect.société, 'prénom nom': prospect['prénom nom'], reason })
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
  const inOrder = failures.toSorted((a, b) => a.place - b.place).map(({ place: _, ...failure }) => failure)
  return { imported: prospects.length - failures.length, failed: failures.length, failures: inOrder }
}
