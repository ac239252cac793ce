import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { FileStore } from './file-port.ts'
import { createLocalFiles } from './local-files.ts'
import { createS3Files } from './s3.ts'

export type { FileStore } from './file-port.ts'
export { checkKey } from './key.ts'

/** Creates the file store of this installation. */
export function createFiles(config: Config): FileStore {
  if (config.S3_BUCKET) return createS3Files(config)
  return createLocalFiles(join(config.dataDir, 'files'))
}
