/**
 * The code of a diagram in which no label holds markup: while a label is measured it stands in the page for a moment. Line
 * breaks and stereotypes (`<<interface>>`) stay; any other `<` that could begin a tag, written as an entity too, becomes ‹.
 */
export function withoutMarkup(code: string): string {
  return code
    .replace(/[&#](?:lt|#?0*60|#?x0*3c)\b;?/gi, '‹')
    .replace(/<(?:br\s*\/?>|<[\w ]+>>|(?=[a-z/!?]))/gi, (found) => (found === '<' ? '‹' : found))
}
