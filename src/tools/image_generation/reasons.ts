import { isNoImageModel } from '#shared/tools/tools/image-choices.ts'

const sentences: [RegExp, string][] = [
  [/^“(?<name>.{1,300})” is no picture\./, 'no_picture'],
  [/^A document the image was to begin from/, 'no_document'],
  [/^The pictures an image begins from may have (?<megabytes>\d{1,5}) MB/, 'pictures_too_large'],
  [/^The image has more than (?<megabytes>\d{1,5}) MB/, 'image_too_large'],
  [/^What the provider sent is no picture/, 'sent_no_picture'],
  [/^The image was made, but its address/, 'gives_nothing'],
]

/** Returns which of the product's sentences a reason is, with its values; null for a provider's reason. */
export function readReason(error: string): { name: string; values: Record<string, string> } | null {
  if (isNoImageModel(error)) return { name: 'no_model', values: {} }
  for (const [start, name] of sentences) {
    const found = start.exec(error)
    if (found) return { name, values: { ...found.groups } }
  }
  return null
}

/** Returns whether other inputs may help. */
export const isOfInputs = (error: string): boolean =>
  sentences.slice(0, 3).some(([start]) => start.test(error))
