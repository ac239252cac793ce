import type { Jobs } from '../jobs/jobs.ts'
import type { Telemetry, Work } from './telemetry-port.ts'

/** Wraps the job queue so that each job is recorded under its name. */
export function observeJobs(jobs: Jobs, telemetry: Telemetry): Jobs {
  if (!telemetry.isOn) return jobs
  return {
    ...jobs,
    register: (name, handler, options) => {
      const work: Work = { kind: 'job', name, labels: { job: name } }
      jobs.register(
        name,
        (payload, signal) => telemetry.observe(work, () => handler(payload, signal)),
        options,
      )
    },
  }
}
