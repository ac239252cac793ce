import type { ModelDeps } from '../../models/model-deps.ts'
import { assertBalance, recordUsage } from '../../money/billing/billing.ts'
import { keyOf, type Principal } from '../../platform/access/access.ts'
import type { SearchPurse } from './rerank-hits.ts'

/** Creates a purse that charges provider calls to the searching user, outside of runs. */
export function payAtOnce(
  { db, models, config }: Pick<ModelDeps, 'db' | 'models' | 'config'>,
  principal: Principal,
): SearchPurse {
  return {
    allow: async () => {
      if (principal.kind !== 'anonymous') await assertBalance({ db, config }, principal.id)
    },
    bill: async (model_name, usage, priceOf = (used) => models.price(model_name, used)) => {
      if (principal.kind === 'anonymous') return
      const price = await priceOf(usage)
      const nowhere = { session_id: null, run_id: null, step_key: null, attempt: 1 }
      await recordUsage(db, {
        ...{
          user_id: principal.id,
          key_id: keyOf(principal),
          model_name,
          usage,
          price,
          reason: 'documents',
          ...nowhere,
        },
      })
    },
  }
}
