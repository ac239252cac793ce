export { followRun, leaveRun, type StreamStart } from './follow.ts'
export { liveViews, useLiveView } from './live-views.ts'
