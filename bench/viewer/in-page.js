// Runs in the measured page before anything else: notes long tasks, when the first page was drawn, and how many canvases of pages live.
const watched = { longTasks: [], clickedAt: 0, drawnAt: 0, mostCanvases: 0 }

new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    watched.longTasks.push({ at: Math.round(startTime), ms: Math.round(duration) })
}).observe({ entryTypes: ['longtask'] })

addEventListener('click', (event) => (watched.clickedAt = event.timeStamp), true)

const look = () => {
  if (!document.querySelector('.pdf-picture canvas')) requestAnimationFrame(look)
  // The frame that shows it is over when the task after it runs.
  else setTimeout(() => (watched.drawnAt = performance.now()))
}
requestAnimationFrame(look)

// Those of small pages and of the reader itself are smaller; one whose memory is given back is empty.
const made = new Set()
const create = document.createElement
document.createElement = function (...args) {
  const element = create.apply(this, args)
  if (element instanceof HTMLCanvasElement) made.add(new WeakRef(element))
  return element
}
setInterval(() => {
  let count = 0
  for (const ref of made) {
    const canvas = ref.deref()
    if (!canvas) made.delete(ref)
    else if (canvas.width > 300 && canvas.height > 300) count += 1
  }
  watched.mostCanvases = Math.max(watched.mostCanvases, count)
}, 50)

window.bench = { watched, forget: () => Object.assign(watched, { longTasks: [], mostCanvases: 0 }) }
