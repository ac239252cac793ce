import { sql } from 'kysely'
import type { Database } from '../../../platform/db/db.ts'

type Calibration = { factor: number; samples: number }

/** Weight of a new answer in a factor that already has samples. */
const weight = 0.2
/** After so many answers, only every twentieth is measured. */
const samplesAtFirst = 10
const freshMs = 5 * 60_000

/** Stores how many tokens of a provider equal one counted token, learned from reported usage. */
export function createCalibrations(db: Database) {
  let known: { at: number; byModel: Map<string, Calibration> } | null = null
  const calls = new Map<string, number>()

  const read = async (): Promise<Map<string, Calibration>> => {
    if (known && Date.now() - known.at < freshMs) return known.byModel
    const rows = await db
      .selectFrom('model_calibrations')
      .select(['model_id', 'factor', 'samples'])
      .orderBy('model_id')
      .limit(10_000)
      .execute()
    known = { at: Date.now(), byModel: new Map(rows.map((row) => [row.model_id, row])) }
    return known.byModel
  }
  return {
    /** Returns the learned factor, or null before the first sample. */
    factorOf: async (modelId: string): Promise<number | null> => (await read()).get(modelId)?.factor ?? null,

    /** Returns whether to measure this answer. */
    async isWanted(modelId: string): Promise<boolean> {
      const count = (calls.get(modelId) ?? 0) + 1
      calls.set(modelId, count)
      return ((await read()).get(modelId)?.samples ?? 0) < samplesAtFirst || count % 20 === 0
    },

    /** Learns from one answer with `real` tokens by the provider and `counted` tokens by our own count. */
    async learn(modelId: string, real: number, counted: number): Promise<void> {
      const ratio = real / counted
      // No tokenizer differs by more: such a server counts something else, or only uncached tokens.
      if (ratio < 0.4 || ratio > 4) return
      const row = await db
        .insertInto('model_calibrations')
        .values({ model_id: modelId, factor: ratio, samples: 1 })
        .onConflict((conflict) =>
          conflict.column('model_id').doUpdateSet({
            factor: sql`model_calibrations.factor * ${1 - weight} + ${ratio}::float8 * ${weight}`,
            samples: sql`model_calibrations.samples + 1`,
            updated_at: sql`now()`,
          }),
        )
        .returning(['factor', 'samples'])
        .executeTakeFirstOrThrow()
      known?.byModel.set(modelId, row)
    },
  }
}
