/** Entry of embedding: its section in the form of an assistant. */
export { EmbedSection } from './section/embed-section.tsx'
