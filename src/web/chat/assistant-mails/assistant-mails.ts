/** Entry of mails to assistants: their section in the form of an assistant. */
export { MailSection } from './mail-section.tsx'
