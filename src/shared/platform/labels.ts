/** Invisible characters and characters that reverse text direction. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
/** Control characters. Line breaks become a space in a label. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu
const CONTROL_BUT_LINES = /[^\P{Cc}\t\n\r]/gu

/** Flags written with Unicode tag characters: England, Scotland and Wales. */
const TAGGED_FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}|\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}|\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}/gu
/** Emoji before a joiner, with an optional skin tone or hair modifier. */
const PICTURE_BEFORE = /(?:\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})$/u
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u
/** Letters of scripts that use joiners, such as Persian and Hindi. */
const JOINING_BEFORE =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]$/u
const JOINING_AFTER =
  /^[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u
/** Characters that accept a variation selector: emoji, #, * and 0 to 9. */
const VARIED = /[\p{Emoji}]$/u

/**
 * Returns text as a one-line name: without control characters, direction overrides (U+202A to U+202E, U+2066 to U+2069)
 * and invisible characters, including tags of U+E0000. Keeps emoji sequences and text of every script.
 */
export function cleanLabel(text: string): string {
  return withoutInvisible(text.replace(CONTROL, ' '))
}

/** Cleans text of several lines like `cleanLabel`. */
export function cleanProse(text: string): string {
  return withoutInvisible(text.replace(CONTROL_BUT_LINES, ''))
}

/** Returns true when a text contains only characters allowed in a label. */
export const isCleanLabel = (text: string): boolean => cleanLabel(text) === text

function withoutInvisible(text: string): string {
  const whole = text.toWellFormed()
  const flags = new Set(
    [...whole.matchAll(TAGGED_FLAG)].flatMap(({ 0: flag, index }) => rangeOf(index, flag)),
  )
  return whole.replace(INVISIBLE, (sign, at: number) => {
    if (flags.has(at)) return sign
    // Three UTF-16 units hold the character on either side with its variation selector.
    const before = whole.slice(Math.max(0, at - 3), at)
    const after = whole.slice(at + sign.length, at + sign.length + 2)
    return isNeeded(sign, before, after) ? sign : ''
  })
}

/** Returns the positions of the tag characters in a flag. */
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
