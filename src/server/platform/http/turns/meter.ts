/** What pieces of work cost that are under way at the same time. */
export type Meter = {
  /** Begins one; what it answers ends it and says what it cost, in milliseconds. */
  begin: () => () => number
}

/** The process waits meanwhile: for the database above all, which a busy machine makes long. */
const WAITING_COUNTS = 0.25

/**
 * Shares the processor time of this process among what is under way, in equal parts, and adds a quarter of the time
 * that passed. Time that passed would count in full what others take: on a busy machine everybody would be greedy.
 */
export function createMeter({ spent = spentHere, now = () => performance.now() } = {}): Meter {
  let underWay = 0
  /** What one that has been under way from the beginning has had, as of when the process had spent so much. */
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
        return Math.min(passed, share - from + passed * WAITING_COUNTS)
      }
    },
  }
}

/** Milliseconds of processor time. */
function spentHere(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
