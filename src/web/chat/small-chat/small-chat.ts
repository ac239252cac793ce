/** Entry of the small chat: messages and composer, in a frame of another page and next to a form. */
import './small-chat.css'

export { AskField, type AskHandle } from './ask-field.tsx'
export { Said } from './said.tsx'
export { Starters } from './starters.tsx'
export { type ChatPlace, useSmallChat } from './use-small-chat.ts'
