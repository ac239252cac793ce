/** Memory shared by the event loop and its watchdog thread. */
export type Beat = { memory: SharedArrayBuffer; hangMs: number }

/** Layout of that memory: indexes of 32-bit numbers, and the byte offset of the text. */
export const cells = { beat: 0, length: 1, never: 2, text: 16 } as const
/** Bytes reserved for the name of the current work, as UTF-8. */
export const textBytes = 4_096
