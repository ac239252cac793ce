import type { Kysely } from 'kysely'
import { MIN_RUNS, type StatedPrice } from '#shared/chat/run-prices/run-prices.ts'
import type { Models } from '../../models/models/models.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { RunInput } from '../../runs/runs/runs.ts'
import { intervalOf } from './interval.ts'
import { findPastRuns, type RunClass, sumPath } from './store.ts'

/** Assumptions besides the history: bytes per token, and the conversation's share of the window. */
const BYTES_PER_TOKEN = 4
const WINDOW_SHARE = 0.7
/** Tokens priced together, because the price of one is too small. */
const PRICED = 1_000

type Plan = Pick<
  RunInput,
  'agent_type' | 'model_name' | 'assistant' | 'context_tokens' | 'instructions' | 'project' | 'tools'
>

/** Returns a model's price of reading one token in dollars, or null when unknown. */
export async function priceOfReading(
  models: Pick<Models, 'price'>,
  modelName: string,
): Promise<number | null> {
  const more = { output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0, estimated: true }
  const { amount, unpriced } = await models.price(modelName, { input_tokens: PRICED, ...more })
  return unpriced ? null : amount / PRICED
}

/** Returns the class of replies to estimate from. */
export function classOf({ agent_type, model_name, assistant }: Plan): RunClass {
  return { agent_type, model_name, assistant_id: assistant?.id ?? '' }
}

/**
 * Estimates the price of a reply: the minimum cost of reading, and the interval derived from similar finished replies. These have
 * the same assistant, agent and model; if there are too few, the same agent and model.
 * @param at the message it follows or answers, the new bytes, and the price of reading a token
 */
export async function statePrice(
  db: Kysely<Tables>,
  plan: Plan,
  { reading, after, bytes }: { reading: number; after: string | null; bytes: number },
): Promise<{ known: number; stated: StatedPrice | null }> {
  const known = (await tokensOf(db, plan, after, bytes)) * reading
  const kin = classOf(plan)
  const { assistant_id: _, ...wider } = kin
  const close = await findPastRuns(db, kin)
  const past = close.length < MIN_RUNS ? await findPastRuns(db, wider) : close
  return { known, stated: intervalOf(past, known) }
}

/** Estimates the tokens of one call that reads the conversation. */
async function tokensOf(
  db: Kysely<Tables>,
  { context_tokens, instructions, project, tools }: Plan,
  after: string | null,
  bytes: number,
): Promise<number> {
  const most = Math.floor(context_tokens * WINDOW_SHARE * BYTES_PER_TOKEN)
  const said = bytes + (after === null ? 0 : await sumPath(db, after, most))
  const told = Buffer.byteLength((instructions ?? '') + (project?.instructions ?? '') + JSON.stringify(tools))
  return Math.ceil((Math.min(said, most) + told) / BYTES_PER_TOKEN)
}
