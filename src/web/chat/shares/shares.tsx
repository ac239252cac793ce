export { LinkList } from './link-list.tsx'
export { default as ShareDialog } from './share-dialog.tsx'
