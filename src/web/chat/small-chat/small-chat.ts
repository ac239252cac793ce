/** The door of the small chat: what was said and where one asks, in a frame of another page and beside a form. */
import './small-chat.css'

export { AskField, type AskHandle } from './ask-field.tsx'
export { Said } from './said.tsx'
export { Starters } from './starters.tsx'
export { type ChatPlace, useSmallChat } from './use-small-chat.ts'
