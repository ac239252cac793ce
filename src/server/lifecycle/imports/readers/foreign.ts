import type { ImportFormat } from '#shared/lifecycle/imports/imports.ts'

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
}

export type ForeignChat = {
  kind: 'chat'
  id: string
  title: string
  at: Date | null
  changed: Date | null
  isArchived: boolean
  tags?: string[]
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
}

export type ForeignPrompt = {
  kind: 'prompt'
  id: string
  name: string
  command: string
  text: string
  fields: unknown
}

/** A document of our own archive. */
export type ForeignDocument = { kind: 'document'; file: ForeignFile; tags: string[] }

/** A fact of the memory. `of` is the fact that replaced it or that it contradicts. */
export type ForeignFact = {
  kind: 'fact'
  id: string
  text: string
  state: 'kept' | 'proposed' | 'replaced'
  origin: 'proposal' | 'remember' | 'manual'
  of: string | null
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

/** The files of an export, for the readers. */
export type Shelf = {
  /** Returns the name of the member for a file id, or null. */
  findById: (id: string) => string | null
  /** Returns the name of the first member directly in the folder of a document of our archive, or null. */
  findDocument: (id: string) => string | null
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
