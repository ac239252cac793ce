import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

const EVERY_MS = 30_000

/** Prints every half minute how many test files have ended, how many failed, and the time that is probably left. */
export default class Progress implements Reporter {
  #all = 0
  #done = 0
  #failed = 0
  #started = 0
  #printing: NodeJS.Timeout | undefined

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#all = specifications.length
    this.#started = performance.now()
    console.log(`\n${this.#all} test files`)
    this.#printing = setInterval(() => this.#print(), EVERY_MS)
  }

  onTestModuleEnd(module: TestModule): void {
    this.#done += 1
    if (!module.ok()) this.#failed += 1
  }

  onTestRunEnd(): void {
    clearInterval(this.#printing)
  }

  #print(): void {
    const minutes = (performance.now() - this.#started) / 60_000
    const left = this.#done > 0 ? (minutes / this.#done) * (this.#all - this.#done) : null
    const estimate = left === null ? '' : `, about ${Math.ceil(left)} min left`
    console.log(`[tests] ${this.#done} of ${this.#all} files, ${this.#failed} failed${estimate}`)
  }
}
