import type { UsageDay } from '#shared/money/usage/usage.ts'
import type { ModelDay } from './store.ts'

type Sums = Pick<UsageDay, 'amount' | 'tokens' | 'calls'>

/** Returns days with the overall top models, and the totals. */
export function foldDays(found: readonly ModelDay[], most: number) {
  const ofModels = new Map<string, Sums>()
  const days = new Map<string, UsageDay>()
  const sum = nothing()
  for (const { day, model_name, ...used } of found) {
    if (model_name !== null) add(findOr(ofModels, model_name, nothing), used)
    add(
      findOr(days, day, () => ({ day, models: [], ...nothing() })),
      used,
    )
    add(sum, used)
  }
  const models = [...ofModels]
    .toSorted(([, one], [, other]) => other.amount - one.amount || other.calls - one.calls)
    .slice(0, most)
    .map(([name]) => name)
  for (const { day, model_name, ...used } of found)
    if (model_name !== null && models.includes(model_name))
      days.get(day)?.models.push({ model_name, ...used })
  return { days: [...days.values()], models, sum }
}

const nothing = (): Sums => ({ amount: 0, tokens: 0, calls: 0 })

/** Rounds dollars to whole billionths, as in the ledger, so that the order of additions does not matter. */
function add(sum: Sums, { amount, tokens, calls }: Sums): void {
  sum.amount = Math.round((sum.amount + amount) * 1e9) / 1e9
  sum.tokens += tokens
  sum.calls += calls
}

function findOr<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key) ?? make()
  map.set(key, found)
  return found
}
