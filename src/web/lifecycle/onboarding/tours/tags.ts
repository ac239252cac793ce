export const tagColours = ['cyan', 'magenta', 'green', 'orange', 'blue'] as const
export type TagColour = (typeof tagColours)[number]

/** Distributes the existing tags over the five colours. */
const MULTIPLIER = 58647

/** Returns the colour of a tag, always the same for the same tag. */
export function tagColour(tag: string): TagColour {
  let hash = 0
  for (const letter of tag) hash = (Math.imul(hash, MULTIPLIER) + (letter.codePointAt(0) ?? 0)) >>> 0
  return tagColours[hash % tagColours.length] ?? 'cyan'
}
