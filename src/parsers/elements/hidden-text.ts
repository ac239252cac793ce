import type { Job } from './port.ts'

const marks = { en: '[Hidden text]', fr: '[Texte masqué]' }

/** Prefixes text that is invisible in the document with a mark that says so. */
export const hiddenText = (text: string, language: Job['language']) => `${marks[language]} ${text.trim()}`
