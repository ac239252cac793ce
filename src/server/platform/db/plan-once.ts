import { createHash } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import type pg from 'pg'

const marked = /^\/\* plan once: (\w+) \*\/ /

/**
 * Turns a query into a prepared statement, planned once per connection. Planning takes most of the time of a short query.
 * A name must always stand for the same text.
 */
export function planOnce<Row>(name: string, query: CompiledQuery<Row>): CompiledQuery<Row> {
  return { ...query, sql: `/* plan once: ${name} */ ${query.sql}` }
}

/** Prepares each of a few variants of a statement. User input must not create further variants. */
export function planEach<Row>(name: string, query: CompiledQuery<Row>): CompiledQuery<Row> {
  const text = createHash('sha1').update(query.sql).digest('hex').slice(0, 16)
  return planOnce(`${name}_${text}`, query)
}

/** Makes a connection prepare the statements marked by `planOnce`. */
export function keepPlans(client: pg.PoolClient): void {
  const ask = client.query.bind(client) as (text: string | pg.QueryConfig, ...rest: unknown[]) => unknown
  let generation = 0
  const askPlanned = async (name: string, text: string, values: unknown[]): Promise<unknown> => {
    const isAlone = client.getTransactionStatus() === 'I'
    const asked = generation
    try {
      return await ask({ name: `${name}_${asked}`, text, values })
    } catch (error) {
      if (!isForgotten(error)) throw error
      // A new name is needed, because the driver still treats the old one as prepared.
      if (asked === generation) generation += 1
      // The transaction has failed and cannot continue; the next one prepares the statement again.
      if (!isAlone) throw error
      return ask({ name: `${name}_${generation}`, text, values })
    }
  }
  client.query = ((text: string | pg.QueryConfig, ...rest: unknown[]) => {
    const name = typeof text === 'string' ? marked.exec(text)?.[1] : undefined
    return name === undefined ? ask(text, ...rest) : askPlanned(name, text as string, rest[0] as unknown[])
  }) as typeof client.query
}

/** Returns whether the server discarded its plans (`DISCARD ALL`) or the result columns have changed type. */
function isForgotten(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '26000' || routine === 'RevalidateCachedQuery'
}
