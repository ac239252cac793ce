/** The hits of a search, with their distances. */
type Found = { properties: { text: string }; distance: number | null }

export type Seen = {
  searches: number
  /** Errors returned instead of hits. */
  failed: string[]
  /** Answers with distances of several models. */
  mixed: number
  /** Answers by model. */
  by: Record<string, number>
}

type Options = {
  url: string
  /** Credentials; one concurrent search for each. */
  people: readonly { headers: Record<string, string> }[]
  question: (n: number) => string
  /** Returns the vector of a question or passage, by model. */
  vectorOf: (text: string, model: string) => ArrayLike<number>
  models: readonly string[]
  limit?: number
}

/** Starts people who search one question after the other until stopped, and records the results. */
export function startCrowd({ url, people, question, vectorOf, models, limit = 10 }: Options) {
  const seen: Seen = { searches: 0, failed: [], mixed: 0, by: {} }
  let isOver = false
  let n = 0
  const searchOnce = async (headers: Record<string, string>) => {
    const query = question(n++)
    const answer = await fetch(`${url}/api/v1/search_and_rerank/search_and_rerank`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query, limit, hybrid_search: n % 2 === 0 }),
    })
    const body = (await answer.json()) as { objects?: Found[] }
    seen.searches += 1
    if (body.objects?.length !== limit)
      return void seen.failed.push(`${answer.status} ${JSON.stringify(body).slice(0, 200)}`)
    const fitting = models.filter((model) => isBy(model, query, body.objects ?? []))
    if (fitting.length !== 1) seen.mixed += 1
    else for (const model of fitting) seen.by[model] = (seen.by[model] ?? 0) + 1
  }
  const isBy = (model: string, query: string, found: Found[]) => {
    const asked = vectorOf(query, model)
    const near = found.filter(({ distance }) => distance !== null)
    return near.every(
      ({ properties, distance }) =>
        Math.abs(1 - dot(asked, vectorOf(properties.text, model)) - (distance ?? 0)) < 0.01,
    )
  }
  const searching = people.map(async ({ headers }) => {
    while (!isOver)
      await searchOnce(headers).catch((error) => void seen.failed.push(String(error.cause ?? error)))
  })
  return {
    seen,
    stop: async (): Promise<Seen> => {
      isOver = true
      await Promise.all(searching)
      return seen
    },
  }
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
