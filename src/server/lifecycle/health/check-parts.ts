import { setTimeout as sleep } from 'node:timers/promises'
import type { HealthName, HealthPart } from '#shared/lifecycle/health/health.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { checkBackup } from './check-backup.ts'
import { checkDisk, checkMail, checkStorage } from './check-keeping.ts'
import { checkMailbox } from './check-mailbox.ts'
import { checkModels } from './check-models.ts'
import { checkOcr, checkOffice, checkSandbox } from './check-programs.ts'
import { checkSearch } from './check-search.ts'
import { checkTranscription } from './check-transcription.ts'
import { checkDatabase, checkQueue } from './check-work.ts'
import { type Found, found, reasonOf } from './found.ts'

export type Checked = { parts: HealthPart[]; at: Date }
type Check = (deps: ModelDeps) => Promise<Found>

const checks: Record<HealthName, Check> = {
  models: checkModels,
  mail: checkMail,
  mailbox: checkMailbox,
  sandbox: checkSandbox,
  ocr: checkOcr,
  office: checkOffice,
  transcription: checkTranscription,
  storage: checkStorage,
  disk: checkDisk,
  queue: checkQueue,
  search: checkSearch,
  database: checkDatabase,
  backup: checkBackup,
}

/** How long a result is reused, in milliseconds. */
const FRESH_MS = 15_000
/** How long even a forced check reuses a result. */
const AGAIN_MS = 2_000
/** Timeout of a part's check. Other parts do not wait for it. */
const TIMEOUT_MS = 8_000

/** Creates a concurrent check of all parts, shared by simultaneous callers. It never throws: a failed check is a finding. */
export function createPartsCheck(
  deps: ModelDeps,
  patienceMs = TIMEOUT_MS,
): (wish: { again: boolean }) => Promise<Checked> {
  let looking: Promise<Checked> | null = null
  let known: { checked: Checked; at: number } | null = null
  const look = async (): Promise<Checked> => {
    const names = Object.keys(checks) as HealthName[]
    const parts = await Promise.all(
      names.map(async (part) => ({ part, ...(await withinTime(checks[part](deps), patienceMs)) })),
    )
    const checked = { parts, at: deps.clock.now() }
    known = { checked, at: performance.now() }
    return checked
  }
  return async ({ again }) => {
    if (looking) return looking
    const age = known ? performance.now() - known.at : Number.POSITIVE_INFINITY
    if (known && age < (again ? AGAIN_MS : FRESH_MS)) return known.checked
    if (again) deps.models.refresh()
    looking = look().finally(() => {
      looking = null
    })
    return looking
  }
}

async function withinTime(check: Promise<Found>, patienceMs: number): Promise<Found> {
  const asked = check.catch((error) => found('failed', { error: reasonOf(error) }))
  const waited = sleep(patienceMs, undefined, { ref: false }).then(() =>
    found('silent', { seconds: Math.ceil(patienceMs / 1000) }),
  )
  return Promise.race([asked, waited])
}
