import * as z from 'zod/mini'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'
import { MadeEntry } from '#shared/tools/media/media.ts'
import { readLogs } from './rounds.ts'

/** The phases of the code interpreter, in their order (ledger CI-16). */
export const codePhases = [
  'SANDBOX_INIT',
  'DOCUMENT_UPLOAD',
  'PLANNING',
  'EXECUTION',
  'FINALIZATION',
] as const
export type CodePhase = (typeof codePhases)[number]

/** One program as shown (ledger CI-15). `output` is its output followed by its errors. */
export type ShownRound = {
  number: number
  step: string
  status: 'running' | 'success' | 'error'
  language: string
  code: string
  output: string
}

export type UploadedFile = { id: string; name: string; size: number }

/** The known facts about a call, during and after it. */
export type CodeWork = {
  phases: Record<CodePhase, 'pending' | 'started' | 'completed' | 'failed'>
  /** Null until they are known. */
  uploaded: UploadedFile[] | null
  plan: string[] | null
  rounds: ShownRound[]
  artifacts: MadeEntry[]
  files: MadeEntry[]
  message: string
  /** All rounds as one text; empty during the call. */
  logs: string
  /** Why it is incomplete. */
  error: string | null
}

const Result = z.object({
  ...{ plan: z.array(z.string()), logs: z.string(), error: z.nullable(z.string()) },
  ...{ artifacts: z.array(MadeEntry), generated_files: z.array(MadeEntry) },
})
const Told = z.object({
  ...{ round: z.optional(z.int()), step: z.optional(z.string()), message: z.optional(z.string()) },
  ...{ code: z.optional(z.string()), language: z.optional(z.string()) },
  ...{ stdout: z.optional(z.string()), stderr: z.optional(z.string()) },
  ...{ execution_status: z.optional(z.string()), plan: z.optional(z.array(z.string())) },
  uploaded_files: z.optional(z.array(z.object({ id: z.string(), name: z.string(), size: z.number() }))),
  ...{ new_artifacts: z.optional(z.array(MadeEntry)), new_files: z.optional(z.array(MadeEntry)) },
})
type Told = z.infer<typeof Told>

const isPhase = (phase: string | undefined): phase is CodePhase => codePhases.some((one) => one === phase)

/** Derives the state of a call from its events and its result. */
export function readWork(events: readonly ToolEvent[], result: unknown): CodeWork {
  const work: CodeWork = {
    phases: Object.fromEntries(codePhases.map((phase) => [phase, 'pending'])) as CodeWork['phases'],
    ...{
      uploaded: null,
      plan: null,
      rounds: [],
      artifacts: [],
      files: [],
      message: '',
      logs: '',
      error: null,
    },
  }
  for (const { phase, status, data } of events) {
    const told = Told.safeParse(data ?? {}).data
    if (told) hear(work, phase ?? '', status ?? '', told)
  }
  const done = Result.safeParse(result).data
  if (!done) return work
  const { plan, logs, artifacts, generated_files: files, error } = done
  for (const phase of codePhases) work.phases[phase] = 'completed'
  if (error !== null) work.phases.EXECUTION = 'failed'
  const rounds = readLogs(logs).map(
    ({ stdout, stderr, ...round }): ShownRound => ({ ...round, output: join(stdout, stderr) }),
  )
  return { ...work, plan, logs, rounds, artifacts, files, error }
}

function hear(work: CodeWork, phase: string, status: string, told: Told): void {
  if (isPhase(phase)) {
    for (const earlier of codePhases.slice(0, codePhases.indexOf(phase)))
      if (work.phases[earlier] !== 'failed') work.phases[earlier] = 'completed'
    const isOver = status === 'completed' || status === 'failed'
    if (work.phases[phase] !== 'completed') work.phases[phase] = isOver ? status : 'started'
  }
  if (phase === 'DOCUMENT_UPLOAD' && status === 'completed') work.uploaded = told.uploaded_files ?? []
  if (phase === 'PLANNING' && told.plan) work.plan = told.plan
  if (phase === 'FINALIZATION' && status === 'completed')
    work.message = told.message ?? 'Finalizing and cleaning up...'
  if (phase === 'ARTIFACTS_GENERATED') work.artifacts = addNew(work.artifacts, told.new_artifacts)
  if (phase === 'FILES_GENERATED') work.files = addNew(work.files, told.new_files)
  hearRound(work, phase, status, told)
}

function hearRound({ rounds }: CodeWork, phase: string, status: string, told: Told): void {
  if (phase === 'EXECUTION_ROUND' && status === 'started') {
    const number = told.round ?? rounds.length + 1
    rounds.push({
      number,
      step: told.step ?? '',
      status: 'running',
      language: 'python',
      code: '',
      output: '',
    })
  }
  const round = rounds.findLast(({ number }) => number === (told.round ?? number))
  if (!round) return
  if (phase === 'EXECUTION_ROUND' && status === 'completed') round.status = 'success'
  if (phase === 'CODE_GENERATION' && status === 'completed') {
    round.code = told.code ?? round.code
    round.language = told.language ?? round.language
  }
  if (phase === 'CODE_EXECUTION' && status !== 'started') {
    round.output = join(told.stdout ?? '', told.stderr ?? '')
    if (status === 'failed' || told.execution_status === 'error') round.status = 'error'
  }
}

const join = (stdout: string, stderr: string) => [stdout, stderr].filter((text) => text !== '').join('\n')

/** A new version of a file replaces the previous one and its placeholder. */
function addNew(known: MadeEntry[], more: readonly MadeEntry[] = []): MadeEntry[] {
  const names = new Set(more.map(nameOfEntry))
  return [...known.filter((entry) => !names.has(nameOfEntry(entry))), ...more]
}

/** Returns the key of an entry. */
export const nameOfEntry = (entry: MadeEntry): string =>
  typeof entry === 'string' ? entry : (entry.asset_filename ?? entry.name ?? '')
