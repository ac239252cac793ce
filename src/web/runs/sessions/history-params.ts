/** Parameters of the address that hold the filter of the history, on every view. */
export const filterParams = ['chats', 'chat_tags'] as const
