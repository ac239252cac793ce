export { type Follower, followRun, isFollowing, leaveRun, type StreamStart } from './follow.ts'
export { FLUSH_MS, liveViews, useLiveView } from './live-views.ts'
