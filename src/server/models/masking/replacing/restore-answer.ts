import { type GivePart, isSaid, type ModelPart } from '../../models/port.ts'
import { escapeJson } from './json-view.ts'
import { createRestorer, type Lookup, restore } from './placeholders.ts'

/**
 * Puts the values back into the parts of an answer. Text that may be the beginning of a placeholder waits for the next part. Arguments
 * of tools and, with `isJson`, the text are JSON, in which values are escaped. `end` gives the rest of an answer that broke off.
 */
export function restoreAnswer(lookup: Lookup, { isJson }: { isJson: boolean }, giveOn: GivePart) {
  const write = isJson ? escapeJson : undefined
  const restorers = { text: createRestorer(lookup, write), reasoning: createRestorer(lookup) }
  let open: 'text' | 'reasoning' | null = null
  let hasGiven = false
  const give: GivePart = (part) => {
    if (isSaid(part)) hasGiven = true
    giveOn(part)
  }
  const close = () => {
    const rest = open ? restorers[open].end() : ''
    if (open && rest !== '') give({ type: open, text: rest })
    open = null
  }
  const take = (part: ModelPart) => {
    switch (part.type) {
      case 'text':
      case 'reasoning': {
        if (open !== part.type) close()
        // Metadata without text ends a thought, so all of the thought comes before it.
        if (part.text === '') close()
        else open = part.type
        const text = restorers[part.type].push(part.text)
        if (part.text === '' || text !== '' || 'metadata' in part) give({ ...part, text })
        return
      }
      case 'tool-call':
        close()
        return give({ ...part, input: restore(part.input, lookup, escapeJson) })
      case 'source':
        return give({ ...part, title: part.title && restore(part.title, lookup) })
      case 'usage':
      case 'waiting':
      case 'adapted':
        return give(part)
      default:
        close()
        give(part)
    }
  } // Nothing was said while all of the answer waits, so another model may still answer.
  const end = () => {
    if (hasGiven) close()
  }
  return { take, end }
}
