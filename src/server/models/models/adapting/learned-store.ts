import type { Adaptation, AdaptationName, LearnedAdaptation } from '#shared/models/connections/adaptations.ts'
import type { Database } from '../../../platform/db/db.ts'
import { factValue, has, isSameFact, type Learned, withFact } from './learned.ts'

/** Servers are updated, so a refused request is tried again after this time. */
const EXPIRES_MS = 14 * 24 * 60 * 60_000
/** Maximum age of the cache, and so the delay until a process sees what another one learned. */
const FRESH_MS = 30_000
const MAX_FACTS = 10_000

type Place = { model_id: string; base_url: string }

/** Stores the adaptations of all models in the database. Every process sees them within 30 s. */
export function createLearnedStore(db: Database, clock: { now(): Date }) {
  let read: { at: number; byPlace: Map<string, Adaptation[]> } | null = null

  const readAll = async () => {
    if (read && Date.now() - read.at < FRESH_MS) return read.byPlace
    const rows = await db
      .selectFrom('model_adaptations')
      .select(['model_id', 'base_url', 'name', 'about', 'value'])
      .where('expires_at', '>', clock.now())
      .orderBy('learned_at')
      .limit(MAX_FACTS)
      .execute()
    const byPlace = Map.groupBy(rows, keyOf)
    read = { at: Date.now(), byPlace: new Map([...byPlace].map(([key, facts]) => [key, facts.map(toFact)])) }
    return read.byPlace
  }

  return {
    /** Returns what was learned about one model. */
    of: (place: Place): Learned => ({
      known: async () => (await readAll()).get(keyOf(place)) ?? [],
      learn: async (fact, said) => {
        const facts = (await readAll()).get(keyOf(place)) ?? []
        const before = facts.find((one) => isSameFact(one, fact))
        if (before && before.value === fact.value) return
        const expires_at = new Date(clock.now().getTime() + EXPIRES_MS)
        const kept = {
          value: fact.value ?? null,
          said: said.slice(0, 500),
          learned_at: clock.now(),
          expires_at,
        }
        await db
          .insertInto('model_adaptations')
          .values({ ...place, name: fact.name, about: fact.about ?? '', ...kept })
          .onConflict((conflict) =>
            conflict.columns(['model_id', 'base_url', 'name', 'about']).doUpdateSet(kept),
          )
          .execute()
        read?.byPlace.set(keyOf(place), withFact(facts, fact))
      },
    }),

    /** Returns whether a model takes pictures, by its list and its refusals. */
    sees: async (
      { base_url, lacks }: { base_url: string; lacks: ReadonlyMap<string, readonly Adaptation[]> },
      model_id: string,
    ): Promise<boolean> => {
      const learned = (await readAll()).get(keyOf({ model_id, base_url })) ?? []
      return !has([...learned, ...(lacks.get(model_id) ?? [])], 'no_images')
    },

    /** Returns the context windows that refusals named, by model id. */
    windows: async (): Promise<Map<string, number>> => {
      const found = new Map<string, number>()
      for (const [key, facts] of await readAll()) {
        const window = factValue(facts, 'window')
        if (window !== undefined) found.set(key.slice(key.indexOf(' ') + 1), window)
      }
      return found
    },

    /** Lists what was learned about the models of one provider. */
    list: async (provider: string): Promise<LearnedAdaptation[]> => {
      const rows = await db
        .selectFrom('model_adaptations')
        .selectAll()
        .where('expires_at', '>', clock.now())
        .where((where) => where.fn('starts_with', ['model_id', where.val(`${provider}/`)]))
        .orderBy('model_id')
        .orderBy('learned_at', 'desc')
        .limit(1_000)
        .execute()
      return rows.map((row) => ({
        ...toFact(row),
        ...{ model_id: row.model_id, said: row.said },
        ...{ learned_at: row.learned_at.toISOString(), expires_at: row.expires_at.toISOString() },
      }))
    },

    /** Forgets what was learned about the models of one provider, or about one of them. */
    forget: async (provider: string, modelId?: string): Promise<void> => {
      let query = db
        .deleteFrom('model_adaptations')
        .where((where) => where.fn('starts_with', ['model_id', where.val(`${provider}/`)]))
      if (modelId) query = query.where('model_id', '=', modelId)
      await query.execute()
      read = null
    },
  }
}

const keyOf = ({ model_id, base_url }: Place) => `${base_url} ${model_id}`

function toFact({ name, about, value }: { name: string; about: string; value: number | null }): Adaptation {
  return {
    name: name as AdaptationName,
    ...(value !== null && { value }),
    ...(about !== '' && { about }),
  }
}
