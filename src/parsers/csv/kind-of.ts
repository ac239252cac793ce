import type { CellKind } from '#shared/knowledge/documents/kept-files.ts'

/** The kind of a value that is written as text. A number with leading zeros (a code, a phone number) is text. */
export function kindOf(text: string): CellKind {
  if (
    /^[-+]?(0|[1-9]\d*|[1-9]\d{0,2}([ \u00a0\u202f',.]\d{3})+)?([.,]\d+)?(e[-+]?\d+)?\s?[%€$£]?$/i.test(
      text,
    ) &&
    /\d/.test(text)
  )
    return 'n'
  if (/^(true|false|vrai|faux)$/i.test(text)) return 'b'
  if (/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[-+]\d{2}:?\d{2})?)?$/.test(text)) return 'd'
  if (/^\d{1,2}[./-]\d{1,2}[./-]\d{4}( \d{2}:\d{2}(:\d{2})?)?$/.test(text)) return 'd'
  return /^#(REF!|N\/A|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!)$/.test(text) ? 'e' : 's'
}
