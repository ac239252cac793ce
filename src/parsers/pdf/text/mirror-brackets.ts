const PAIRS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const

/**
 * Swaps the brackets of a right-to-left line when they are mirrored. PDF files store the drawn shape, and in right-to-left text an
 * opening bracket is drawn like a closing one.
 */
export function mirrorBrackets(text: string): string {
  let turned = text
  for (const [open, close] of PAIRS)
    if (!isBalanced(turned, open, close) && isBalanced(turned, close, open))
      turned = Array.from(turned, (sign) => (sign === open ? close : sign === close ? open : sign)).join('')
  return turned
}

function isBalanced(text: string, open: string, close: string): boolean {
  let depth = 0
  for (const sign of text) {
    if (sign === open) depth += 1
    else if (sign === close && --depth < 0) return false
  }
  return depth === 0
}
