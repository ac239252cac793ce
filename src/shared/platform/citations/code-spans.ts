/** Tracks where code begins and ends in Markdown. */
export type CodeSpans = {
  isCode(): boolean
  /** Takes text without backticks and without three tildes in a row. */
  text(text: string): void
  /** Takes a run of backticks, or of tildes at the start of a line. */
  run(run: string): void
}

export function createCodeSpans(): CodeSpans {
  let fence = ''
  let inline = 0
  let line = ''
  return {
    isCode: () => fence !== '' || inline > 0,
    text: (text) => {
      const last = text.lastIndexOf('\n')
      line = last === -1 ? line + text : text.slice(last + 1)
      // A blank line ends an unclosed code span.
      if (/\n\s*\n/.test(text)) inline = 0
    },
    run: (run) => {
      const isFence = run.length >= 3 && line.trim() === ''
      if (fence) {
        if (isFence && run.startsWith(fence)) fence = ''
      } else if (isFence && inline === 0) fence = run
      else if (run[0] === '`') {
        if (inline === 0) inline = run.length
        else if (inline === run.length) inline = 0
      }
      line += run
    },
  }
}
