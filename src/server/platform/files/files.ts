import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createLocalFiles } from './local.ts'
import type { FileStore } from './port.ts'
import { createS3Files } from './s3.ts'

export { checkKey } from './key.ts'
export type { FileStore } from './port.ts'

/** The file store of this installation. */
export function createFiles(config: Config): FileStore {
  if (config.S3_BUCKET) return createS3Files(config)
  return createLocalFiles(join(config.dataDir, 'files'))
}
