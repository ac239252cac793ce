export { BranchMap } from './branch-map.tsx'
export { HIT_PX, HitList } from './hit-list.tsx'
export { useRowWindow } from './row-window.ts'
