export { TemporaryBar } from './temporary-bar.tsx'
export { TemporarySwitch } from './temporary-switch.tsx'
