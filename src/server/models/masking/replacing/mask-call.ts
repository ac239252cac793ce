import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MaskKind } from '#shared/models/masking/masking.ts'
import type { FilePart, ModelCall, ModelMessage } from '../../models/port.ts'
import { createMapping, type Mapping, type MaskedValue } from './mapping.ts'
import { addKnown, createFinder, replaceSpots, type Spot } from './mask-text.ts'
import { placeholderOf, restore } from './placeholders.ts'

type Call = Omit<ModelCall, 'model'>
type Texts = (text: string) => string

/** Characters that are searched before other work of the process gets a turn. */
const CHARACTERS_PER_TURN = 20_000

const NOTE =
  'Some personal details in this conversation are replaced by placeholders in brackets, such as [PERSON_1] or [IBAN_2]. The same placeholder always stands for the same detail. Write a placeholder exactly as it is wherever you mean its detail, also in tool calls. Do not explain, translate, number or guess them.'

const find = createFinder()

/** The places of a call that are replaced, by text. */
export type FoundSpots = ReadonlyMap<string, readonly Spot[]>

/** Finds what is to be replaced in the texts of a call. */
export async function findInCall(call: Call, kinds: ReadonlySet<MaskKind>): Promise<FoundSpots> {
  const spots = new Map<string, readonly Spot[]>()
  let searched = 0
  for (const text of textsOf(call)) {
    if (spots.has(text)) continue
    spots.set(text, find(text, kinds))
    searched += text.length
    if (searched < CHARACTERS_PER_TURN) continue
    searched = 0
    await nextTurn()
  }
  return spots
}

/** Returns the values of all spots, in order. */
export const valuesOf = (spots: FoundSpots): Pick<MaskedValue, 'kind' | 'value'>[] =>
  [...spots.values()].flatMap((some) => some.map(({ kind, value }) => ({ kind, value })))

/** Returns the call with placeholders and a note about them to the model, and the values that were replaced. */
export function maskCall(
  call: Call,
  spots: FoundSpots,
  values: readonly MaskedValue[],
  kinds: ReadonlySet<MaskKind>,
): { call: Call; used: MaskedValue[] } {
  const mapping = createMapping(values)
  const used = new Set<string>()
  const write: Texts = (text) =>
    replaceSpots(text, addKnown(text, spots.get(text) ?? [], mapping, kinds), mapping, used)
  const messages = call.messages.map((message) =>
    withoutRevealing(changeTexts(message, write), mapping, kinds),
  )
  return {
    call: { ...call, messages: withNote(messages) },
    used: values.filter(({ kind, number }) => used.has(placeholderOf(kind, number))),
  }
}

/** The note ends the first system message, so that the beginning of the prompt stays the same. */
function withNote(messages: ModelMessage[]): ModelMessage[] {
  const [first, ...rest] = messages
  return first?.role === 'system'
    ? [{ ...first, content: `${first.content}\n\n${NOTE}` }, ...rest]
    : [{ role: 'system', content: NOTE }, ...messages]
}

/**
 * Removes what a provider wants back when it has details, or placeholders that stand for something else in this chat: signed thoughts
 * cannot be changed. Thoughts have details from a time when nothing was replaced, and other placeholders in copies of other chats.
 */
function withoutRevealing(
  message: ModelMessage,
  mapping: Mapping,
  kinds: ReadonlySet<MaskKind>,
): ModelMessage {
  if (message.role !== 'assistant') return message
  const hasDetails = (text: string) =>
    addKnown(text, find(text, kinds), mapping, kinds).some(({ kind }) => kind !== 'text')
  const content = message.content.map((part) => {
    if (!('metadata' in part)) return part
    const written = part.type === 'tool-call' ? part.input : part.text
    const texts = stringsIn(part.metadata)
    // Keys and encrypted texts have no blanks.
    const isRevealing = texts.some((text) => text.includes(' ') && hasDetails(text))
    const isForeign = texts.some((text) => hasOthers(text, written, mapping))
    if (!isRevealing && !isForeign) return part
    const { metadata: _, ...bare } = part
    return bare
  })
  return { ...message, content }
}

/** Returns whether a text has placeholders of the chat that the text written from it does not have. */
function hasOthers(text: string, written: string, { lookup }: Mapping): boolean {
  let found = false
  restore(text, (kind, number) => {
    if (lookup(kind, number) !== null && !written.includes(placeholderOf(kind, number))) found = true
    return null
  })
  return found
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

function textsOf({ messages }: Call): string[] {
  const texts: string[] = []
  for (const message of messages)
    changeTexts(message, (text) => {
      texts.push(text)
      return text
    })
  return texts
}

/** Changes all texts of a message that a person, a tool or a model wrote, and names of files. The files stay as they are. */
function changeTexts(message: ModelMessage, change: Texts): ModelMessage {
  switch (message.role) {
    case 'system':
      return { ...message, content: change(message.content) }
    case 'user':
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === 'text' ? { ...part, text: change(part.text) } : renamed(part, change),
        ),
      }
    case 'assistant':
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === 'tool-call'
            ? { ...part, input: change(part.input) }
            : { ...part, text: change(part.text) },
        ),
      }
    case 'tool':
      return {
        ...message,
        content: message.content.map((part) => ({
          ...part,
          output: change(part.output),
          ...(part.pictures && { pictures: part.pictures.map((picture) => renamed(picture, change)) }),
        })),
      }
  }
}

const renamed = (file: FilePart, change: Texts): FilePart => ({
  ...file,
  name: file.name === null ? null : change(file.name),
})
