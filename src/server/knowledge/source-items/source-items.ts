export { ofSource } from './item-condition-store.ts'
