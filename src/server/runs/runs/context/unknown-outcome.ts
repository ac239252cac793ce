/** A step acted outside, and whether it succeeded is not known. The step is settled like one that the server's stop interrupted. */
export class UnknownOutcome extends Error {
  constructor(options?: ErrorOptions) {
    super('The outcome of an action outside is not known.', options)
    this.name = 'UnknownOutcome'
  }
}
