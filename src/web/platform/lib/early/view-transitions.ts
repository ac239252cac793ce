/**
 * Handles the unawaited promises of view transitions. A browser rejects `ready` when a transition is skipped, because
 * another one begins or the tab is hidden; that is no error. Errors of the update itself are still reported.
 */
export function quietTransitions(): void {
  if (typeof document.startViewTransition !== 'function') return
  const start = document.startViewTransition.bind(document)
  document.startViewTransition = (update) => {
    const transition = start(update)
    for (const outcome of [transition.ready, transition.finished]) outcome.catch(() => undefined)
    return transition
  }
}
