import type { User } from '#shared/identity/accounts/accounts.ts'
import type { ModelGreeting } from '#shared/lifecycle/setup/setup.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { askQuietly } from '../../models/models/asking/ask-quietly.ts'
import { ModelError } from '../../models/models/models.ts'
import type { Usage } from '../../models/models/port.ts'
import { assertBalance, recordUsage } from '../../money/billing/billing.ts'

/** Timeout. A self-hosted model may first have to be loaded into memory. */
const PATIENCE_MS = 60_000
/** Maximum characters shown of the answer. */
const SHOWN = 300
const greetings = {
  en: 'Hello! Answer with one short sentence.',
  fr: 'Bonjour ! Réponds par une phrase courte.',
}

/**
 * Asks a model for one sentence at the caller's expense. A failing model is a result, not an error.
 * @throws AppError `not_available` for an unknown model, `insufficient_balance`, BudgetError
 */
export async function greet(
  deps: Pick<ModelDeps, 'db' | 'config' | 'models' | 'log'>,
  user: User,
  modelId: string,
): Promise<ModelGreeting> {
  const { id: model } = await deps.models.find(modelId)
  await assertBalance(deps, user.id)
  const language = user.language === 'fr' ? 'fr' : 'en'
  const started = performance.now()
  const used: Usage[] = []
  const ask = askQuietly(
    deps,
    {
      ...{ model, language, signal: AbortSignal.timeout(PATIENCE_MS) },
      messages: [{ role: 'user', content: [{ type: 'text', text: greetings[language] }] }],
    },
    (usage) => used.push(usage),
  )
  const said = await ask.then((text) => ({ text: text.slice(0, SHOWN), detail: null }), explain)
  for (const usage of used) await book(deps, user.id, model, usage)
  return { model, ...said, ms: Math.round(performance.now() - started) }
}

/** @throws what is no failure of the model */
function explain(error: unknown): { text: null; detail: string } {
  if (error instanceof ModelError) return { text: null, detail: error.message }
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { text: null, detail: 'The model did not answer within a minute.' }
  throw error
}

async function book(
  { db, models }: Pick<ModelDeps, 'db' | 'models'>,
  userId: string,
  model: string,
  usage: Usage,
) {
  const price = await models.price(model, usage)
  const nowhere = { session_id: null, run_id: null, step_key: null, attempt: 1 }
  await recordUsage(db, { user_id: userId, model_name: model, usage, price, reason: 'reply', ...nowhere })
}
