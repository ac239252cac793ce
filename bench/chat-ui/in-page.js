// Runs in the measured page before anything else: signs in, notes long tasks and when messages were painted.
localStorage.setItem('token', 'bench')

const watched = { longTasks: [], composerAt: 0, shownAt: 0 }

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) watched.longTasks.push(Math.round(entry.duration))
}).observe({ entryTypes: ['longtask'] })

const transcript = () => document.querySelector('.transcript')

const look = () => {
  if (!watched.composerAt && document.querySelector('main textarea')) watched.composerAt = performance.now()
  if (!document.querySelector('.transcript article .md')) requestAnimationFrame(look)
  // The frame that shows them is over when the task after it runs.
  else setTimeout(() => Object.assign(watched, { shownAt: performance.now() }))
}
requestAnimationFrame(look)

window.bench = {
  watched,
  /**
   * Milliseconds to the frame that shows the messages: from the beginning of the page, and from when both they and the view
   * are there. They are asked for with the page, so that they come before its code does.
   */
  shownMs() {
    const requests = performance.getEntriesByType('resource')
    const data = requests.find(({ name }) => name.includes('/active-branch'))
    const { shownAt, composerAt } = watched
    return { whole: shownAt, afterData: shownAt - Math.max(data?.responseEnd ?? 0, composerAt) }
  },
  scrollTo(part) {
    const { scrollHeight, clientHeight } = transcript()
    transcript().scrollTop = (scrollHeight - clientHeight) * part
  },
  read() {
    const row = document.querySelector('.transcript article')
    return {
      nodes: document.getElementsByTagName('*').length,
      first: Number(row?.getAttribute('aria-posinset') ?? 0),
      total: Number(row?.getAttribute('aria-setsize') ?? 0),
    }
  },
}
