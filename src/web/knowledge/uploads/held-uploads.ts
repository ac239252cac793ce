const lockOf = (uploadId: string) => `atrium-upload:${uploadId}`
/** Browsers have locks on https pages, and on localhost. */
const locks = () => (navigator as Partial<Navigator>).locks

/** Holds a lock across tabs while `send` sends this upload. */
export async function holdUpload<Result>(uploadId: string, send: () => Promise<Result>): Promise<Result> {
  return locks()?.request(lockOf(uploadId), send) ?? send()
}

/** Returns the uploads that no tab is sending. */
export async function withoutHeld<Upload extends { id: string }>(
  uploads: readonly Upload[],
): Promise<Upload[]> {
  const { held = [] } = (await locks()?.query()) ?? {}
  const names = new Set(held.map(({ name }) => name))
  return uploads.filter(({ id }) => !names.has(lockOf(id)))
}
