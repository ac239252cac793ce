export { followRun, leaveRun, type StreamStart } from './follow.ts'
export { followEvents } from './follow-events.ts'
export { liveViews, useLiveView } from './live-views.ts'
