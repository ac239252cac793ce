import type { ModelKind } from './installed-models.ts'

/** A local model of many languages, at one revision of its repository. */
export type SuggestedModel = {
  name: string
  kind: ModelKind
  repository: string
  revision: string
  licence: string
  /** The model among the files of the repository, and its size. */
  file: string
  bytes: number
  /** SHA-256 of the model and of its `tokenizer.json`. */
  sums: { model: string; tokenizer: string }
  /** Files its repository lacks: how a vector is made of tokens, and what stands ahead of a text. */
  settings: Readonly<Record<string, unknown>>
}

export const DEFAULT_HUB = 'https://huggingface.co'

const E5 = {
  '1_Pooling/config.json': { pooling_mode_mean_tokens: true },
  'config_sentence_transformers.json': { prompts: { query: 'query: ', passage: 'passage: ' } },
  'sentence_bert_config.json': { max_seq_length: 512 },
}

/** Models that find what other languages say; the smallest first. */
export const SUGGESTED_MODELS: readonly SuggestedModel[] = [
  {
    ...{ name: 'multilingual-e5-small', kind: 'embedding', licence: 'MIT' },
    ...{ repository: 'Xenova/multilingual-e5-small', revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78' },
    ...{ file: 'onnx/model_quantized.onnx', bytes: 118_308_185 },
    sums: {
      model: 'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
      tokenizer: '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39',
    },
    settings: E5,
  },
  {
    ...{ name: 'multilingual-e5-base', kind: 'embedding', licence: 'MIT' },
    ...{ repository: 'Xenova/multilingual-e5-base', revision: '1ec9243030a27d1a115d5c340572074c125b58b2' },
    ...{ file: 'onnx/model_quantized.onnx', bytes: 278_647_662 },
    sums: {
      model: 'df7a9a29309e3ad491e1783adf8baee710262cc06079c7cbab63c630277fac94',
      tokenizer: '62c24cdc13d4c9952d63718d6c9fa4c287974249e16b7ade6d5a85e7bbb75626',
    },
    settings: E5,
  },
  {
    ...{ name: 'bge-m3', kind: 'embedding', licence: 'MIT' },
    ...{ repository: 'Xenova/bge-m3', revision: '4de13258303883538bd53b696b452bf8099f0858' },
    ...{ file: 'onnx/model_quantized.onnx', bytes: 569_694_530 },
    sums: {
      model: '0826f8c1ab9edf1801db86c61919d4d108e8bfc0b809ec823ad366882ff0b77d',
      tokenizer: '6710678b12670bc442b99edc952c4d996ae309a7020c1fa0096dd245c2faf790',
    },
    settings: { '1_Pooling/config.json': { pooling_mode_cls_token: true } },
  },
  {
    ...{ name: 'bge-reranker-v2-m3', kind: 'reranker', licence: 'Apache-2.0' },
    repository: 'onnx-community/bge-reranker-v2-m3-ONNX',
    revision: '6f5ff65298512715a1e669753bc754d2bc8f367b',
    ...{ file: 'onnx/model_quantized.onnx', bytes: 570_727_094 },
    sums: {
      model: '912fc1215c2dbff6499700534bd8d31253af01573861abbfc43afd1fab6cce5d',
      tokenizer: '8bf8afbfd11306bd872018c53bfdf2e160a56f8edbcf49933324404791c148d3',
    },
    settings: {},
  },
]

/** The address of its files at a hub or a mirror of it. */
export const addressOf = ({ repository, revision }: SuggestedModel, hub: string): string =>
  `${hub.trim().replace(/\/$/, '')}/${repository}/resolve/${revision}/`

/** The sums of its files, as `sha256sum` writes them. */
export const sumsOf = ({ sums }: SuggestedModel): string =>
  `${sums.model}  model.onnx\n${sums.tokenizer}  tokenizer.json`
