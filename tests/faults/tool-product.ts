import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { aDataFolder } from '../support/cleanups.ts'
import { type Product, startProduct } from '../support/product.ts'
import { copyProduct } from '../support/product-copy.ts'
import { aPerson, type Person } from './person.ts'

export type ToolProduct = {
  dataDir: string
  /** The latest process. */
  product: Product
  person: Person
  /** Restarts it with the same data after it has exited. */
  start: () => Promise<void>
  close: () => Promise<void>
}

/** Starts the product with one more tool, from a folder next to this file, and a user of it. */
export async function startWithTool(tool: string, env: Record<string, string>): Promise<ToolProduct> {
  const dataDir = aDataFolder(tool)
  const copy = copyProduct([resolve('tests/faults', tool)])
  const startIt = () => startProduct({ dataDir, env, root: copy.root, entry: 'src/server/main.ts' })
  let product = await startIt()
  return {
    dataDir,
    get product() {
      return product
    },
    person: await aPerson(() => product.url),
    start: async () => {
      product = await startIt()
    },
    close: async () => {
      await product.stop()
      copy.remove()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
