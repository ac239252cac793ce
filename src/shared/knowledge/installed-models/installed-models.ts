import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Notice, text, trimmed } from '../../platform/primitives.ts'

/** Purpose of a model folder: text vectors, or reranking of found passages. */
export const ModelKind = z.enum(['embedding', 'reranker'])
export type ModelKind = z.infer<typeof ModelKind>

/** Result of a trial in which the model processed some sentences. */
export const ModelTrial = z.object({
  /** Length of a vector; null for a reranker. */
  dimensions: z.nullable(z.int()),
  /** Maximum tokens per text. */
  max_tokens: z.int(),
  /** Milliseconds for a passage of about eighty words, on one core. */
  milliseconds: z.number(),
  tried_at: z.string(),
})
export type ModelTrial = z.infer<typeof ModelTrial>

export const InstalledModel = z.object({
  kind: ModelKind,
  name: z.string(),
  /** Id in the model selection. */
  id: z.string(),
  /** `installing`: files are being downloaded and tested; the model cannot be selected yet. */
  state: z.enum(['installing', 'ready', 'failed']),
  /** Size of its files; during installation, the bytes received so far. */
  bytes: z.int(),
  of_bytes: z.nullable(z.int()),
  /** Reason it cannot be used or was not installed, in one sentence. */
  problem: z.nullable(z.string()),
  /** Null for a manually added model that has not been tested. */
  trial: z.nullable(ModelTrial),
  /** True while documents are searched or read with it; it then cannot be removed. */
  is_used: z.boolean(),
})
export type InstalledModel = z.infer<typeof InstalledModel>

/** A model folder on the server that is ready to install. */
export const WaitingModel = z.object({
  name: z.string(),
  bytes: z.int(),
  /** Purpose according to its files; null when they do not state it. */
  kind: z.nullable(ModelKind),
  /** True when it includes checksums of its files, so that none need to be entered. */
  has_sums: z.boolean(),
  /** Reason it cannot be installed, in one sentence. */
  problem: z.nullable(z.string()),
})
export type WaitingModel = z.infer<typeof WaitingModel>

export const InstalledModels = z.object({
  models: z.array(InstalledModel),
  waiting: z.array(WaitingModel),
  /** Folder in which new model folders are detected. */
  waiting_place: z.string(),
  /** Maximum size of a file. */
  most_bytes: z.int(),
})
export type InstalledModels = z.infer<typeof InstalledModels>

/** A model name, which is also its folder name. */
export const ModelName = trimmed(1, 61).check(z.regex(/^[a-z0-9][\w.-]*$/i))

export const listInstalledModels = route({
  method: 'GET',
  path: '/installed-models',
  access: 'super_admin',
  summary: 'Model folders of this installation, and those on the server that wait to be installed',
  pages: 1_000,
  answer: InstalledModels,
})

/** Maximum length of the entered checksums, in characters. */
export const SUMS_MOST = 4_000

export const installModel = route({
  method: 'POST',
  path: '/installed-models',
  access: 'super_admin',
  fails: ['conflict', 'not_found'],
  summary:
    'Install an embedding model or a reranker from a folder on the server or an address; its files are checked by their sums and the model is tried before it is offered',
  body: z.object({
    kind: ModelKind,
    name: ModelName,
    source: z.union([
      z.object({ folder: ModelName }),
      /** Base address of its files. */
      z.object({ address: trimmed(1, 2_000) }),
      /** A model of the list that is suggested, by its name, from a hub or a mirror of it. */
      z.object({ suggested: ModelName, hub: trimmed(1, 2_000) }),
    ]),
    /** SHA-256 of `model.onnx`, or lines in the format of `sha256sum`; may be empty for a folder with its own checksums. */
    sums: z._default(text(0, SUMS_MOST), ''),
  }),
  status: 202,
  answer: InstalledModel,
})

const params = z.object({ kind: ModelKind, modelName: ModelName })

export const tryInstalledModel = route({
  method: 'POST',
  path: '/installed-models/:kind/:modelName/try',
  access: 'super_admin',
  fails: ['conflict', 'not_available'],
  may: null,
  summary: 'Try an installed model: what it is, and how long a passage takes it',
  params,
  answer: InstalledModel,
})

export const removeInstalledModel = route({
  method: 'DELETE',
  path: '/installed-models/:kind/:modelName',
  access: 'super_admin',
  fails: ['conflict'],
  may: null,
  summary: 'Remove an installed model with its files, or stop its installation',
  params,
  answer: Notice,
})
