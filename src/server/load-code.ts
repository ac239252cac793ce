/** Loads the code that a start needs, in parallel to the start of the database. */
export async function loadCode() {
  const [
    { createApp },
    { addressesOf, listen },
    { compose },
    { openPlatform },
    { createModels },
    { readSetupCode },
    { onHeldRuns },
    search,
  ] = await Promise.all([
    import('./app.ts'),
    import('./platform/http/connections/listen.ts'),
    import('./compose.ts'),
    import('./open-platform.ts'),
    import('./models/models/models.ts'),
    import('./identity/accounts/accounts.ts'),
    import('./runs/runs/runs.ts'),
    import('./knowledge/search/search.ts'),
  ])
  const { warmSearch } = search
  return {
    createApp,
    addressesOf,
    listen,
    compose,
    openPlatform,
    createModels,
    readSetupCode,
    onHeldRuns,
    warmSearch,
  }
}
