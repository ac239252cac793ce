/** All that a start needs and that takes long to load, while something else goes on. */
export async function loadCode() {
  const [
    { createApp },
    { compose },
    { openPlatform },
    { createModels },
    { readSetupCode },
    { onHeldRuns },
    search,
  ] = await Promise.all([
    import('./app.ts'),
    import('./compose.ts'),
    import('./open-platform.ts'),
    import('./models/models/models.ts'),
    import('./identity/accounts/accounts.ts'),
    import('./runs/runs/runs.ts'),
    import('./knowledge/search/search.ts'),
  ])
  const { warmSearch } = search
  return { createApp, compose, openPlatform, createModels, readSetupCode, onHeldRuns, warmSearch }
}
