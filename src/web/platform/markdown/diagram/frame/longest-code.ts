/** Characters of a diagram; a longer one could keep the browser busy. */
export const longestCode = 20_000
