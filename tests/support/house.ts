import { startApp, type TestApp } from './app.ts'
import { type Chat, startChat } from './chat.ts'
import { cloneDatabase } from './database.ts'
import { databaseUrl } from './database-url.ts'
import { startModelServer } from './model-server.ts'

/** An installation of several processes: one that only serves the web, with a signed-in client, and workers. */
export type House = {
  chat: Chat
  workers: TestApp[]
  /** Starts another worker. */
  aWorker: () => Promise<TestApp>
  close: () => Promise<void>
}

export async function startHouse({ workers: count }: { workers: number }): Promise<House> {
  const { address, drop } = await cloneDatabase()
  const model = await startModelServer()
  const common = { DATABASE_URL: databaseUrl(address), ATRIUM_COMPATIBLE_URL: model.url }
  const chat = await startChat({ app: { address, config: { ...common, ATRIUM_ROLE: 'web' } } })
  const workers: TestApp[] = []
  const aWorker = async () => {
    const worker = await startApp({ address, config: { ...common, ATRIUM_ROLE: 'worker' } })
    workers.push(worker)
    return worker
  }
  while (workers.length < count) await aWorker()
  return {
    ...{ chat: { ...chat, model }, workers, aWorker },
    close: async () => {
      for (const worker of workers) await worker.close()
      await chat.close()
      await model.close()
      await drop()
    },
  }
}
