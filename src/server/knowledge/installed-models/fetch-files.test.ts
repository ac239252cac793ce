import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { SUGGESTED_MODELS } from '#shared/knowledge/installed-models/suggested-models.ts'
import { readEmbeddingFacts } from '../../models/models/installed/embedding-folder.ts'
import { fetchFiles } from './fetch-files.ts'
import type { ModelSource } from './model-source.ts'

const place = mkdtempSync(join(tmpdir(), 'atrium-suggested-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const files: Record<string, string> = {
  'tokenizer.json': '{"model":{"type":"Unigram"}}',
  'config.json': '{"hidden_size":3,"max_position_embeddings":514}',
  'onnx/model.onnx': 'large',
  'onnx/model_quantized.onnx': 'small',
}
const source: ModelSource = {
  place: 'the hub',
  open: async (path) => {
    const text = files[path]
    if (text === undefined) return null
    return { content: new Blob([text]).stream(), size: text.length, from: 0 }
  },
}

describe('a suggested model', () => {
  it.each([
    ['multilingual-e5-small', 'mean', { query: 'query: ', passage: 'passage: ' }, 512],
    ['bge-m3', 'cls', { query: '', passage: '' }, 514],
  ] as const)(
    '%s gets its quantized file and the settings that its repository lacks',
    async (name, pooling, prompts, max_tokens) => {
      const suggested = SUGGESTED_MODELS.find((one) => one.name === name) ?? null
      const folder = join(place, name)
      await mkdir(folder)
      const sums = new Map([['model.onnx', createHash('sha256').update('small').digest('hex')]])
      const terms = {
        sums,
        maxBytes: 100,
        signal: new AbortController().signal,
        onBytes: async () => undefined,
      }
      await fetchFiles(source, folder, { kind: 'embedding', ...terms, suggested })
      expect(readFileSync(join(folder, 'model.onnx'), 'utf8')).toBe('small')
      expect(await readEmbeddingFacts(folder)).toEqual({ dimensions: 3, max_tokens, pooling, prompts })
      expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toContain('1_Pooling/config.json')
    },
  )
})
