/** Invisible characters, direction overrides, and spaces other than the plain one. */
const HIDDEN = /\p{C}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}/gu

/** Returns a text with its hidden characters written as ⟨U+200B⟩. Line ends and tabs stay. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, (character) => {
    if (character === '\n' || character === '\t') return character
    const code = character.codePointAt(0) ?? 0
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
