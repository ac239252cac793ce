/** Signs nobody sees, or that turn the text after them around. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
/** Control characters; those that end a line become a space in a label. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu
const CONTROL_BUT_LINES = /[^\P{Cc}\t\n\r]/gu

/** The flags that Unicode writes in tags: England, Scotland and Wales. */
const TAGGED_FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}|\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}|\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}/gu
/** A joiner between two pictures; both may be one emoji with a colour of skin or hair. */
const PICTURE_BEFORE = /(?:\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})$/u
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u
/** A letter of a script whose letters join: Persian, Hindi and others are written with joiners. */
const JOINING_BEFORE =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]$/u
const JOINING_AFTER =
  /^[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u
/** A sign that a variation selector changes: an emoji, or one of the keys #, * and 0 to 9. */
const VARIED = /[\p{Emoji}]$/u

/**
 * Text for one line that people read as a name: without control characters, without what turns text around (U+202A to U+202E, U+2066 to
 * U+2069) and without signs nobody sees, tags of U+E0000 among them. Emoji sequences stay whole, and so does text of every script.
 */
export function cleanLabel(text: string): string {
  return withoutInvisible(text.replace(CONTROL, ' '))
}

/** The same for text of several lines. */
export function cleanProse(text: string): string {
  return withoutInvisible(text.replace(CONTROL_BUT_LINES, ''))
}

/** Whether a text has signs that a label has not. */
export const isCleanLabel = (text: string): boolean => cleanLabel(text) === text

function withoutInvisible(text: string): string {
  const whole = text.toWellFormed()
  const flags = new Set(
    [...whole.matchAll(TAGGED_FLAG)].flatMap(({ 0: flag, index }) => rangeOf(index, flag)),
  )
  return whole.replace(INVISIBLE, (sign, at: number) => {
    if (flags.has(at)) return sign
    // So many units of UTF-16 hold the character on either side, before it with its selector.
    const before = whole.slice(Math.max(0, at - 3), at)
    const after = whole.slice(at + sign.length, at + sign.length + 2)
    return isNeeded(sign, before, after) ? sign : ''
  })
}

/** Where the tags of a flag stand. */
function rangeOf(start: number, flag: string): number[] {
  return Array.from({ length: (flag.length - 2) / 2 }, (_, tag) => start + 2 + 2 * tag)
}

function isNeeded(sign: string, before: string, after: string): boolean {
  switch (sign) {
    case '\u200d':
      return (
        (PICTURE_BEFORE.test(before) && PICTURE_AFTER.test(after)) ||
        (JOINING_BEFORE.test(before) && JOINING_AFTER.test(after))
      )
    case '\u200c':
      return JOINING_BEFORE.test(before) && JOINING_AFTER.test(after)
    case '\ufe0e':
    case '\ufe0f':
      return VARIED.test(before)
    default:
      return false
  }
}
