import type { ProblemReason } from '#shared/lifecycle/imports/imports.ts'

/** A chat, file or assistant that cannot be imported. The rest of the export can. */
export class Damage extends Error {
  readonly reason: ProblemReason

  constructor(reason: ProblemReason) {
    super(reason)
    this.reason = reason
  }
}
