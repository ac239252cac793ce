let replying = false

/** Sets whether the open chat loads or receives a reply. */
export function noteReplying(isReplying: boolean): void {
  replying = isReplying
}

/** Returns whether the open chat loads or receives a reply. */
export function isReplying(): boolean {
  return replying
}
