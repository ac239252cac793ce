/** Type of dragged chats; their ids are separated by spaces. */
export const CHATS_TYPE = 'application/x-atrium-chats'
