/** Characters that nobody sees, that turn the direction of a text, or that are spaces other than the plain one. */
const HIDDEN = /\p{C}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}/gu

/** A text with its hidden characters written out as ⟨U+200B⟩. Line ends and tabs stay. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, (character) => {
    if (character === '\n' || character === '\t') return character
    const code = character.codePointAt(0) ?? 0
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
