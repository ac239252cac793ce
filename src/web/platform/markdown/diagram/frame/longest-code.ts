/** Maximum characters of a diagram; a longer one could block the browser. */
export const longestCode = 20_000
