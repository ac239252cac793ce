import type { ColumnType, Generated } from 'kysely'
import type {
  InstalledModel,
  ModelKind,
  ModelTrial,
} from '#shared/knowledge/installed-models/installed-models.ts'
import type {
  BenchOrigin,
  BenchRun,
  BenchSetting,
  Expectation,
} from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import type { Json, Num, Time } from './columns.ts'

/** Document search and its quality. */
export type RetrievalTables = {
  installed_models: {
    kind: ModelKind
    name: string
    source: Json<({ folder: string } | { address: string; suggested?: string }) & { sums?: string }>
    state: InstalledModel['state']
    bytes: Num
    of_bytes: number | null
    problem: string | null
    trial: ColumnType<ModelTrial | null, string | null | undefined, string | null>
    changed_at: Time
  }
  bench_sets: { id: Generated<string>; name: string; created_at: Time }
  bench_cases: {
    id: Generated<string>
    set_id: string
    user_id: string
    question: string
    expected: Json<Expectation[]>
    origin: ColumnType<BenchOrigin | null, string | null | undefined, string | null>
    message_id: string | null
    created_at: Time
  }
  bench_runs: {
    id: Generated<string>
    set_id: string
    user_id: string
    setting: Json<BenchSetting>
    model: string | null
    state: Generated<BenchRun['state']>
    problem: string | null
    created_at: Time
  }
  bench_results: {
    run_id: string
    case_id: string
    found: string[]
    milliseconds: number
    cost: number | null
    skipped: string | null
  }
}
