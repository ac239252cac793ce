export { BranchMap } from './branch-map.tsx'
