export { SourceFields } from './adding/source-fields.tsx'
export { iconOfSource } from './connector-words.ts'
