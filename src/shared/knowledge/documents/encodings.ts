import * as z from 'zod/mini'

/** Encodings a text can be read in, by the names of the Encoding Standard, and code pages of DOS. */
export const TextEncoding = z.enum([
  ...(['utf-8', 'utf-16le', 'utf-16be'] as const),
  ...(['windows-1252', 'macintosh', 'iso-8859-15', 'windows-1250', 'iso-8859-2', 'windows-1257'] as const),
  ...(['ibm850', 'ibm437', 'ibm852', 'ibm857', 'ibm737'] as const),
  ...(['windows-1251', 'koi8-r', 'koi8-u', 'iso-8859-5', 'ibm866'] as const),
  ...(['windows-1253', 'iso-8859-7', 'windows-1254', 'windows-1255', 'iso-8859-8'] as const),
  ...(['windows-1256', 'iso-8859-6', 'windows-1258', 'windows-874'] as const),
  ...(['shift_jis', 'euc-jp', 'iso-2022-jp', 'gb18030', 'big5', 'euc-kr'] as const),
])
export type TextEncoding = z.infer<typeof TextEncoding>
