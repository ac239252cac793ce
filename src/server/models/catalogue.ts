import type { ConnectionModel } from '#shared/connections/connections.ts'
import type { Database } from '../db/db.ts'
import { type Configured, readConfigured } from './configured.ts'
import { findKnownModel } from './listing/known-prices.ts'
import { listModels } from './listing/list-models.ts'
import type { ConnectionState } from './models.ts'
import { ModelError } from './port.ts'

const freshMs = 5 * 60_000
/** A provider that does not answer must not hold the list of the others back. */
const patienceMs = 2_500

type Listing = { at: number; status: 'ok' | 'error'; detail: string | null; models: ConnectionModel[] }
type Override = {
  offered: boolean | null
  input_price: number | null
  output_price: number | null
  context_tokens: number | null
}
type Source = Parameters<typeof readConfigured>[0]

/** What the configured providers offer, asked for at most every five minutes. */
export function createCatalogue(source: Source) {
  const listings = new Map<string, Listing>()
  const asking = new Map<string, Promise<void>>()

  const ask = (connection: Configured): Promise<void> => {
    const under = asking.get(connection.id)
    if (under) return under
    const question = listOf(connection)
      .then((listing) => void listings.set(connection.id, keepKnown(listing, listings.get(connection.id))))
      .finally(() => asking.delete(connection.id))
    asking.set(connection.id, question)
    return question
  }

  return {
    /** Every configured provider, its models with what administrators changed about them. */
    async read(): Promise<ConnectionState[]> {
      const [configured, overrides] = await Promise.all([readConfigured(source), readOverrides(source.db)])
      const stale = configured.filter(
        ({ id, enabled }) => enabled && Date.now() - (listings.get(id)?.at ?? 0) > freshMs,
      )
      const known = stale.every(({ id }) => listings.has(id))
      const asked = Promise.all(stale.map(ask))
      if (!known)
        await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())])
      return configured.map((connection) => {
        const listing = listings.get(connection.id)
        return {
          ...connection,
          status: listing?.status ?? 'untested',
          status_detail: listing?.detail ?? null,
          models: (listing?.models ?? []).map((model) => withOverride(model, overrides.get(model.id))),
        }
      })
    },
    forget(): void {
      listings.clear()
    },
  }
}

async function listOf(connection: Configured): Promise<Listing> {
  try {
    const listed = await listModels(connection.kind, connection)
    const models = await Promise.all(
      listed.map(async (model) => {
        const known = await findKnownModel(model.id)
        return {
          id: `${connection.provider}/${model.id}`,
          name: model.name,
          context_tokens: model.context_tokens ?? known.context_tokens,
          max_output_tokens: model.max_output_tokens,
          input_price: model.input_price ?? known.input_price,
          output_price: model.output_price ?? known.output_price,
          offered: true,
          edited: false,
        }
      }),
    )
    return { at: Date.now(), status: 'ok', detail: null, models }
  } catch (error) {
    const detail = error instanceof ModelError ? error.message : 'The list of models could not be read.'
    return { at: Date.now(), status: 'error', detail, models: [] }
  }
}

/** A provider that is away for a while keeps the models it had. */
function keepKnown(listing: Listing, before: Listing | undefined): Listing {
  return listing.status === 'error' && before ? { ...listing, models: before.models } : listing
}

async function readOverrides(db: Database): Promise<Map<string, Override>> {
  const rows = await db.selectFrom('model_overrides').selectAll().orderBy('model_id').limit(10_000).execute()
  return new Map(rows.map((row) => [row.model_id, row]))
}

function withOverride(model: ConnectionModel, override: Override | undefined): ConnectionModel {
  if (!override) return model
  const { offered, input_price, output_price, context_tokens } = override
  return {
    ...model,
    offered: offered ?? model.offered,
    input_price: input_price ?? model.input_price,
    output_price: output_price ?? model.output_price,
    context_tokens: context_tokens ?? model.context_tokens,
    edited: input_price !== null || output_price !== null || context_tokens !== null,
  }
}
