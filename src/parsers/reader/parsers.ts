import type { Format, Parse } from '../elements/port.ts'
import { withView } from '../soffice/with-view.ts'

type Load = () => Promise<{ parse: Parse }>

const image: Load = () => import('../image/parse.ts')
const legacy: Load = withView(() => import('../legacy/parse.ts'))
const media: Load = () => import('../media/parse.ts')
const odf: Load = withView(() => import('../odf/parse.ts'))

/** Parsers by format, loaded on first use. */
export const parsers: Partial<Record<Format, Load>> = {
  aac: media,
  avi: media,
  bmp: image,
  csv: () => import('../csv/parse.ts'),
  doc: legacy,
  docx: withView(() => import('../docx/parse.ts')),
  eml: () => import('../eml/parse.ts'),
  epub: () => import('../epub/parse.ts'),
  flac: media,
  gif: image,
  html: () => import('../html/parse.ts'),
  jpg: image,
  json: () => import('../json/parse.ts'),
  m4a: media,
  md: () => import('../markdown/parse.ts'),
  mkv: media,
  mov: media,
  mp3: media,
  mp4: media,
  msg: () => import('../msg/parse.ts'),
  odp: odf,
  ods: odf,
  odt: odf,
  ogg: media,
  pdf: () => import('../pdf/parse.ts'),
  png: image,
  ppt: legacy,
  pptx: withView(() => import('../pptx/parse.ts')),
  rtf: withView(() => import('../rtf/parse.ts')),
  svg: image,
  tiff: image,
  txt: () => import('../text/parse.ts'),
  wav: media,
  webm: media,
  webp: image,
  xls: legacy,
  xlsx: withView(() => import('../xlsx/parse.ts')),
  xml: () => import('../xml/parse.ts'),
  zip: () => import('../zip/parse.ts'),
}
