/**
 * Returns a diagram's code without markup in labels, because a label is briefly part of the page while it is measured. Line
 * breaks and stereotypes (`<<interface>>`) stay; any other `<` that could begin a tag, including entities, becomes ‹.
 */
export function withoutMarkup(code: string): string {
  return code
    .replace(/[&#](?:lt|#?0*60|#?x0*3c)\b;?/gi, '‹')
    .replace(/<(?:br\s*\/?>|<[\w ]+>>|(?=[a-z/!?]))/gi, (found) => (found === '<' ? '‹' : found))
}
