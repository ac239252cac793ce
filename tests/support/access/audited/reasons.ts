import type { AuditAction } from '../../../../src/shared/identity/audit/audit.ts'

/**
 * Audit actions of a writing route: those of its call in `calls.ts`, those that need something this call lacks, or none, with the
 * reason.
 */
export type Audited = { did: AuditAction[] } | { needs: string; did: AuditAction[] } | { nothing: string }

/** Reasons that several routes share. */
export const inChats = 'what a person does in their own chats stands in the chat'
export const inLibrary = 'what a person does with their own documents stands in the library'
export const measures = 'it measures searches and changes none'
export const looks = 'it looks something up and changes nothing'
