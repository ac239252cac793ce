/** Entry of the feature: creates `ToolContext.corpus`. */
export { createCorpusPort } from './corpus-port.ts'
