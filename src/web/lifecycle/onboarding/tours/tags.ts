export const tagColours = ['cyan', 'magenta', 'green', 'orange', 'blue'] as const
export type TagColour = (typeof tagColours)[number]

/** Spreads the tags there are over the five colours. */
const MULTIPLIER = 58647

/** The colour of a tag: always the same one for the same tag. */
export function tagColour(tag: string): TagColour {
  let hash = 0
  for (const letter of tag) hash = (Math.imul(hash, MULTIPLIER) + (letter.codePointAt(0) ?? 0)) >>> 0
  return tagColours[hash % tagColours.length] ?? 'cyan'
}
