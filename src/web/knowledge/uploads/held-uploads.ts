const lockOf = (uploadId: string) => `atrium-upload:${uploadId}`
/** Browsers have locks for pages that come over https, or from the machine itself. */
const locks = () => (navigator as Partial<Navigator>).locks

/** Says to all tabs, for as long as `send` takes, that somebody sends this upload. */
export async function holdUpload<Result>(uploadId: string, send: () => Promise<Result>): Promise<Result> {
  return locks()?.request(lockOf(uploadId), send) ?? send()
}

/** Which of these uploads no tab sends. */
export async function withoutHeld<Upload extends { id: string }>(
  uploads: readonly Upload[],
): Promise<Upload[]> {
  const { held = [] } = (await locks()?.query()) ?? {}
  const names = new Set(held.map(({ name }) => name))
  return uploads.filter(({ id }) => !names.has(lockOf(id)))
}
