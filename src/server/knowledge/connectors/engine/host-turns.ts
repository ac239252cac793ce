/** Concurrent requests of this process to one host. */
const MAX_PER_HOST = 4

const active = new Map<string, number>()
const queues = new Map<string, (() => void)[]>()

/** Runs a request once the host has fewer than four. Without a host it runs immediately. */
export async function takeTurn<T>(host: string | null, request: () => Promise<T>): Promise<T> {
  if (host === null) return request()
  const running = active.get(host) ?? 0
  if (running >= MAX_PER_HOST) {
    await new Promise<void>((resolve) => {
      queues.set(host, [...(queues.get(host) ?? []), resolve])
    })
  } else active.set(host, running + 1)
  try {
    return await request()
  } finally {
    endTurn(host)
  }
}

/** Gives the place to the next request, or frees it. */
function endTurn(host: string): void {
  const [next, ...others] = queues.get(host) ?? []
  if (others.length > 0) queues.set(host, others)
  else queues.delete(host)
  if (next) {
    next()
    return
  }
  const left = (active.get(host) ?? 1) - 1
  if (left > 0) active.set(host, left)
  else active.delete(host)
}
