/** Measures the cost of concurrent work. */
export type Meter = {
  /** Begins a piece of work. Returns a function that ends it and returns its cost in milliseconds. */
  begin: () => () => number
}

/** Share of the waiting time that counts. The process mostly waits for the database, which takes longer on a busy machine. */
const WAITING_WEIGHT = 0.25

/**
 * Divides this process's processor time equally among the work in progress, and adds a quarter of the elapsed time.
 * Counting elapsed time in full would include the load of others, so on a busy machine every caller would look greedy.
 */
export function createMeter({ spent = spentHere, now = () => performance.now() } = {}): Meter {
  let underWay = 0
  /** Processor time of a piece of work in progress since the start, when the process had used `asOf`. */
  let share = 0
  let asOf = spent()
  const goOn = () => {
    const total = spent()
    if (underWay > 0) share += (total - asOf) / underWay
    asOf = total
  }
  return {
    begin: () => {
      goOn()
      underWay += 1
      const [from, began] = [share, now()]
      return () => {
        goOn()
        underWay -= 1
        const passed = now() - began
        return Math.min(passed, share - from + passed * WAITING_WEIGHT)
      }
    },
  }
}

/** Returns the processor time of this process in milliseconds. */
function spentHere(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
