import type { ContextUse } from '#shared/chat/context-use/context-use.ts'
import type { Pipeline } from '#shared/knowledge/documents/documents.ts'
import type { ImportFormat } from '#shared/lifecycle/imports/imports.ts'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import type { RunUsage } from '#shared/runs/runs/usage.ts'

/** A file that a message or an assistant names. The id is unique in its product. `content` is null when the export does not contain it. */
export type ForeignFile = {
  id: string
  name: string
  content:
    | { from: 'member'; name: string }
    | { from: 'base64'; data: string }
    | { from: 'text'; text: string }
    /** Only its address is known. It is not loaded. */
    | { from: 'elsewhere' }
    | null
}

/** A cited passage of our own archive, by the version of its document, its position and its text. */
export type ForeignPassage = { id: string; document: string; version: number; position: number; text: string }

/** A message of another product. Parents come before their replies. */
export type ForeignMessage = {
  id: string
  parent: string | null
  role: 'user' | 'assistant'
  text: string
  model: string | null
  at: Date | null
  files: ForeignFile[]
  sources: { title: string; url: string }[]
  /** Blocks of our own archive, in place of one text block. */
  blocks?: Record<string, unknown>[]
  isModified?: boolean
  /** The reply ended with an error. */
  isFailed?: boolean
  agent?: string | null
  /** The assistant that wrote the reply. */
  writtenBy?: { id: string; name: string } | null
  /** How the reply ended, what it used, and what filled its prompt. */
  measured?: { stopped?: boolean; usage?: RunUsage; context_use?: ContextUse }
  passages?: ForeignPassage[]
  /** The run whose journal is in the archive. */
  run?: string | null
  /** The reply of several models that it is one of. */
  comparedIn?: string | null
  /** The models of a reply of several, each with the message of its own reply, or why it has none. */
  compared?: { model: string; message: string | null; error: string | null }[]
}

/** A class of data, by its id in the installation of the archive and by its name. */
export type ForeignClass = { id: string | null; name: string | null }
/** A thing whose text is in a chat, with the class it had. */
export type ForeignSource = {
  kind: 'document' | 'project' | 'connector' | 'database'
  id: string
  class_id: string | null
  class: string | null
}

export type ForeignChat = {
  kind: 'chat'
  id: string
  title: string
  at: Date | null
  changed: Date | null
  isArchived: boolean
  isUnread?: boolean
  /** Place among the pinned chats. */
  pin?: number | null
  tags?: string[]
  project?: string | null
  /** The assistant that answers in it. */
  assistant?: string | null
  model?: string | null
  settings?: Record<string, unknown>
  sources?: ForeignSource[]
  /** The message that was on screen last; null when it is unknown. */
  leaf: string | null
  messages: ForeignMessage[]
}

export type ForeignAssistant = {
  kind: 'assistant'
  id: string
  name: string
  description: string
  instructions: string
  examples: string[]
  temperature: number | null
  files: ForeignFile[]
  /** Settings of our own archive. Null tools are all tools. */
  settings?: {
    icon: string | null
    agent: unknown
    model: string | null
    tools: string[] | null
    projects: string[]
  }
}

export type ForeignPrompt = {
  kind: 'prompt'
  id: string
  name: string
  command: string
  text: string
  fields: unknown
  /** Settings of chats that begin with it. Null tools are those of the chat. */
  settings?: { assistant: string | null; model: string | null; tools: string[] | null; documents: string[] }
}

/** A version of a document; `number` is that of the archive. */
export type ForeignVersion = { number: number; file: ForeignFile; pipeline: Pipeline | null }

/** A document of our own archive. `versions` are in order; the last one is `file`. */
export type ForeignDocument = {
  kind: 'document'
  file: ForeignFile
  tags: string[]
  isStarred: boolean
  dataClass?: ForeignClass | null
  /** Address of the file that the document was picked from. */
  sourceUrl?: string | null
  at: Date | null
  versions: ForeignVersion[]
}

export type ForeignProject = {
  kind: 'project'
  id: string
  name: string
  description: string | null
  colour: unknown
  icon: unknown
  assistant: string | null
  model: string | null
  dataClass?: ForeignClass | null
  documents: string[]
  instructions: { text: string; at: Date | null }[]
  at: Date | null
  archived: Date | null
  mark: { isPinned: boolean; isCollapsed: boolean; position: number | null } | null
}

/** A chat that was forked from a message of another chat. `end` is its own message that ends the copied path. */
export type ForeignFork = {
  kind: 'fork'
  chat: string
  from: string
  message: string | null
  end: string | null
}

/** A fact that a reply was given, in the words of that time. */
export type ForeignMemoryUse = {
  kind: 'memory_use'
  chat: string
  message: string
  fact: string
  place: number
  text: string
}

/** The journal of a finished reply, with the positions that a person can return to. */
export type ForeignJournal = {
  kind: 'journal'
  run: string
  chat: string
  message: string
  agent: AgentType
  version: number
  model: string | null
  fork: { from: string; position: number } | null
  labels: { key: string; label: string }[]
  records: ForeignRecord[]
}
export type ForeignRecord = {
  position: number
  key: string
  kind: 'step' | 'checkpoint' | 'ask' | 'answer'
  value: unknown
  events: RunEvent[]
  at: Date | null
}

/** A fact of the memory. `of` is the fact that replaced it or that it contradicts. */
export type ForeignFact = {
  kind: 'fact'
  id: string
  text: string
  state: 'kept' | 'proposed' | 'replaced'
  origin: 'proposal' | 'remember' | 'manual'
  of: string | null
  project: string | null
  chat: string | null
  message: string | null
  learned: Date
  replaced: Date | null
  used: Date | null
  uses: number
}

export type ForeignSchedule = {
  kind: 'schedule'
  id: string
  name: string
  settings: Record<string, unknown>
  things: { kind: string; id: string; name: string }[]
  anchor: Date | null
}

/** A tool call that a reply of an earlier chat names. */
export type ForeignCall = {
  kind: 'call'
  id: string
  input: unknown
  result: unknown
  error: string | null
  ended: Date | null
}

/** A file that a tool made for a reply of an earlier chat. */
export type ForeignMedia = {
  kind: 'media'
  id: string
  file: ForeignFile
  chat: string
  message: string
  at: Date | null
}

export type ForeignItem =
  | ForeignChat
  | ForeignAssistant
  | ForeignPrompt
  | ForeignDocument
  | ForeignFact
  | ForeignSchedule
  | ForeignCall
  | ForeignMedia
  | ForeignProject
  | ForeignFork
  | ForeignMemoryUse
  | ForeignJournal

/** The files of an export, for the readers. */
export type Shelf = {
  /** Returns the name of the member for a file id, or null. */
  findById: (id: string) => string | null
  /** Returns the name of the first member directly in the folder of a document of our archive, or null. */
  findDocument: (id: string) => string | null
  /** Returns the name of the first member in the folder of an earlier version of a document, or null. */
  findVersion: (id: string, version: number) => string | null
  /** Returns the name of the member in the folder of a file that a tool made, or null. */
  findMade: (id: string) => string | null
}

/** A reader of one kind of element. */
export type ElementReader = {
  format: ImportFormat
  /** Decides by content. */
  recognizes: (value: Record<string, unknown>) => boolean
  /** Null for an element without anything to import. @throws Damage */
  read: (value: Record<string, unknown>, shelf: Shelf) => ForeignItem | null
}
