import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Notice, text, trimmed } from '../../platform/primitives.ts'

/** Purpose of a model folder: text vectors, reranking of found passages, or answers in chats. */
export const ModelKind = z.enum(['embedding', 'reranker', 'chat'])
export type ModelKind = z.infer<typeof ModelKind>

/** Result of a trial in which the model processed some sentences. */
export const ModelTrial = z.object({
  /** Length of a vector; null for other kinds. */
  dimensions: z.nullable(z.int()),
  /** Maximum tokens per text; the context window of a chat model. */
  max_tokens: z.int(),
  /** Milliseconds for a passage of about eighty words, on one core; for a token that a chat model writes. */
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
  /** Model that answers while a chat model cannot run. */
  fallback: z.nullable(z.string()),
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

/** A chat model of the built-in list that can be installed with one click. */
export const OfferedChatModel = z.object({
  /** Name of its folder. */
  name: z.string(),
  title: z.string(),
  /** Address of its file, at the hub or the configured mirror. */
  address: z.string(),
  sha256: z.string(),
  bytes: z.int(),
  licence: z.string(),
  /** Language codes; empty for many languages. */
  languages: z.array(z.string()),
  /** True when it was trained to call tools. */
  calls_tools: z.boolean(),
  /** Memory it needs, with its window. */
  memory_bytes: z.int(),
  /** Tokens per second that this machine is expected to write; null before the machine was measured. */
  tokens_per_second: z.nullable(z.number()),
})
export type OfferedChatModel = z.infer<typeof OfferedChatModel>

/** The program that runs chat models. It is installed with the first of them. */
export const ChatEngine = z.object({
  state: z.enum(['installed', 'missing', 'unsupported']),
  version: z.string(),
  /** Memory that one model may use. */
  memory_bytes: z.int(),
})

export const InstalledModels = z.object({
  models: z.array(InstalledModel),
  waiting: z.array(WaitingModel),
  /** Folder in which new model folders are detected. */
  waiting_place: z.string(),
  /** Maximum size of a file. */
  most_bytes: z.int(),
  /** Maximum size of the file of a chat model. */
  most_chat_bytes: z.int(),
  engine: ChatEngine,
  offers: z.array(OfferedChatModel),
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
export const MAX_SUMS = 4_000

export const installModel = route({
  method: 'POST',
  path: '/installed-models',
  access: 'super_admin',
  fails: ['conflict', 'not_found'],
  summary:
    'Install a model from a folder on the server or an address; its files are checked by their sums and the model is tried before it is offered',
  body: z.object({
    kind: ModelKind,
    name: ModelName,
    source: z.union([
      z.object({ folder: ModelName }),
      /** Base address of its files; the address of the file itself for a chat model. */
      z.object({ address: trimmed(1, 2_000) }),
      /** A model of the list that is suggested, by its name, from a hub or a mirror of it. */
      z.object({ suggested: ModelName, hub: trimmed(1, 2_000) }),
    ]),
    /** SHA-256 of `model.onnx` or `model.gguf`, or lines in the format of `sha256sum`; may be empty for a folder with its own checksums. */
    sums: z._default(text(0, MAX_SUMS), ''),
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

export const changeInstalledModel = route({
  method: 'PATCH',
  path: '/installed-models/:kind/:modelName',
  access: 'super_admin',
  may: null,
  summary: 'Choose the model that answers while an installed chat model cannot run',
  params,
  body: z.object({ fallback: z.nullable(trimmed(1, MAX_MODEL_NAME)) }),
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

export const uploadModel = route({
  method: 'POST',
  path: '/installed-models/uploads/:modelName',
  access: 'super_admin',
  fails: ['conflict', 'quota_exceeded'],
  may: null,
  summary:
    'Store the GGUF file of a chat model in a folder that waits to be installed: multipart with one `file`',
  params: z.object({ modelName: ModelName }),
  upload: true,
  status: 201,
  answer: WaitingModel,
})
