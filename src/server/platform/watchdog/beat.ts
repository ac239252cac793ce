/** What the event loop and the thread that watches it share. */
export type Beat = { memory: SharedArrayBuffer; hangMs: number }

/** Where things stand in it: 32-bit numbers by their index, then text from this byte on. */
export const cells = { beat: 0, length: 1, never: 2, text: 16 } as const
/** Room for what runs, as UTF-8. */
export const textBytes = 4_096
