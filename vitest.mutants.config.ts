import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Only the tests of one project: the mutants of a folder are met by the tests that know it. */
const isChosen = (project: unknown) =>
  (project as { test: { name: string } }).test.name === process.env.MUTANTS_PROJECT

export default defineConfig({ test: { ...config.test, projects: config.test?.projects?.filter(isChosen) } })
