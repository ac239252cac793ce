export { addToLibrary, ensureLibrary, findLibrary, listLibrary, readLibraryModel } from './library.ts'
export {
  COLLECTIONS_MAX,
  type Collection,
  deleteCollection,
  findCollection,
  insertCollection,
  listCollections,
  listTables,
  noteReconciled,
  noteWrite,
} from './store.ts'
