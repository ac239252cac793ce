import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(m?js|css|svg)$/
/** Minimum size in bytes; smaller files fit into one packet uncompressed. */
const leastBytes = 1000

/** Writes `.br` and `.gz` files next to the build, for the server to send as they are. */
export function compressFiles(): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => compressible.test(name))
      await Promise.all(names.map((name) => compressFile(join(dir, name))))
    },
  }
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < leastBytes) return
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  const [small, smaller] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, { params: quality }),
  ])
  await Promise.all([writeFile(`${path}.gz`, small), writeFile(`${path}.br`, smaller)])
}
