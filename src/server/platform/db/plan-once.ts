import { createHash } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import type pg from 'pg'

const marked = /^\/\* plan once: (\w+) \*\/ /

/**
 * Has every connection plan a statement once and keep the plan (a prepared statement): most of the time of a short query
 * is its planning. A name stands for one text.
 */
export function planOnce<Row>(name: string, query: CompiledQuery<Row>): CompiledQuery<Row> {
  return { ...query, sql: `/* plan once: ${name} */ ${query.sql}` }
}

/** The same for a statement that is written in a few ways, each of which is planned once: what people type must not make more of them. */
export function planEach<Row>(name: string, query: CompiledQuery<Row>): CompiledQuery<Row> {
  const text = createHash('sha1').update(query.sql).digest('hex').slice(0, 16)
  return planOnce(`${name}_${text}`, query)
}

/** Makes a connection keep the plans of what `planOnce` marked. */
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
      // A new name: the driver still takes the old one for planned.
      if (asked === generation) generation += 1
      // In a transaction nothing more can be asked; the next one plans anew.
      if (!isAlone) throw error
      return ask({ name: `${name}_${generation}`, text, values })
    }
  }
  client.query = ((text: string | pg.QueryConfig, ...rest: unknown[]) => {
    const name = typeof text === 'string' ? marked.exec(text)?.[1] : undefined
    return name === undefined ? ask(text, ...rest) : askPlanned(name, text as string, rest[0] as unknown[])
  }) as typeof client.query
}

/** The server threw its plans away (`DISCARD ALL`), or the columns of the answer have changed their types since. */
function isForgotten(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '26000' || routine === 'RevalidateCachedQuery'
}
