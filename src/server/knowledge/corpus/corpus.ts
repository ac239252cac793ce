/** The door of reading all of something: what `ToolContext.corpus` is. */
export { createCorpusPort } from './corpus-port.ts'
