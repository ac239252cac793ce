export { wakeUp } from './attendance.ts'
export { followRun, leaveRun, type StreamStart, waitMs } from './follow.ts'
export { liveViews, useLiveView } from './live-views.ts'
export { type RunReader, readStream, UnreadableStream } from './read-stream.ts'
