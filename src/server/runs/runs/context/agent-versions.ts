import type { Agent } from './run-context.ts'

/** Returns the implementation of the given version, or undefined when it was removed. */
export function findVersion(agent: Agent | undefined, version: number): Agent['run'] | undefined {
  return agent?.version === version ? agent.run : agent?.earlier?.[version]
}

/** Returns the version for a run that reads a journal of `version`: the same one while it exists, else the newest. */
export function versionAfter(agent: Agent, version: number): number {
  return findVersion(agent, version) ? version : agent.version
}
