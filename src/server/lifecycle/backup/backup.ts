export { backUp } from './back-up.ts'
export { BackupError } from './backup-error.ts'
export { restore } from './restore.ts'
