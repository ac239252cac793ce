import { type IRunOptions, TextRun } from 'docx'
import { type Direction, splitDirections } from '#shared/platform/markdown/direction.ts'

/** Formatting of a run of text. */
export type Style = Pick<
  IRunOptions,
  'bold' | 'italics' | 'strike' | 'superScript' | 'subScript' | 'color' | 'style'
>

/** Returns a text as runs, with those of right-to-left scripts marked. */
export function textRuns(text: string, base: Direction | null, style: Style = {}): TextRun[] {
  return splitDirections(text, base).map(
    (run) => new TextRun({ ...style, text: run.text, ...(run.isRtl && { rightToLeft: true }) }),
  )
}

/** Returns the paragraph option of a direction. */
export const bidiOf = (direction: Direction | null) => (direction === 'rtl' ? { bidirectional: true } : {})
