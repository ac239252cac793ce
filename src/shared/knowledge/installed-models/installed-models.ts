import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Notice, text, trimmed } from '../../platform/primitives.ts'

/** What a model folder is for: vectors of texts, or another order of passages that were found. */
export const ModelKind = z.enum(['embedding', 'reranker'])
export type ModelKind = z.infer<typeof ModelKind>

/** What a trial found: a model read some sentences. */
export const ModelTrial = z.object({
  /** Numbers of a vector; null of a reranker. */
  dimensions: z.nullable(z.int()),
  /** Tokens it reads of a text. */
  max_tokens: z.int(),
  /** For a passage of about eighty words, on one core. */
  milliseconds: z.number(),
  tried_at: z.string(),
})
export type ModelTrial = z.infer<typeof ModelTrial>

export const InstalledModel = z.object({
  kind: ModelKind,
  name: z.string(),
  /** As it is named where models are chosen. */
  id: z.string(),
  /** `installing`: its files are fetched and tried; it is offered nowhere yet. */
  state: z.enum(['installing', 'ready', 'failed']),
  /** Of its files, so far, while it is being installed. */
  bytes: z.int(),
  of_bytes: z.nullable(z.int()),
  /** Why it cannot be used, or was not installed, in a sentence. */
  problem: z.nullable(z.string()),
  /** Null where it was put into its folder by hand and not tried yet. */
  trial: z.nullable(ModelTrial),
  /** Documents are searched or read with it: it cannot be removed. */
  is_used: z.boolean(),
})
export type InstalledModel = z.infer<typeof InstalledModel>

/** A model folder on the server that waits to be installed. */
export const WaitingModel = z.object({
  name: z.string(),
  bytes: z.int(),
  /** What its files say it is for; null where they do not say. */
  kind: z.nullable(ModelKind),
  /** Whether it brings the sums of its files: then none need be stated. */
  has_sums: z.boolean(),
  /** Why it cannot be installed, in a sentence. */
  problem: z.nullable(z.string()),
})
export type WaitingModel = z.infer<typeof WaitingModel>

export const InstalledModels = z.object({
  models: z.array(InstalledModel),
  waiting: z.array(WaitingModel),
  /** Where a folder is put so that it is listed as waiting. */
  waiting_place: z.string(),
  /** No file may have more. */
  most_bytes: z.int(),
})
export type InstalledModels = z.infer<typeof InstalledModels>

/** A name that is a folder's, too. */
export const ModelName = trimmed(1, 61).check(z.regex(/^[a-z0-9][\w.-]*$/i))

export const listInstalledModels = route({
  method: 'GET',
  path: '/installed-models',
  access: 'super_admin',
  summary: 'Model folders of this installation, and those on the server that wait to be installed',
  pages: 1_000,
  answer: InstalledModels,
})

/** The longest list of sums that can be stated. */
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
      /** Under which its files stand. */
      z.object({ address: trimmed(1, 2_000) }),
    ]),
    /** The SHA-256 of `model.onnx`, or lines as `sha256sum` writes them; may be empty where a folder brings its own. */
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
