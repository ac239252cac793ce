/** The door of embedding: what the form of an assistant shows of it. */
export { EmbedSection } from './section/embed-section.tsx'
