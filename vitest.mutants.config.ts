import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import config from './vitest.config.ts'

const { MUTANTS_PROJECT, MUTANTS_TESTS } = process.env

/** Only tests of one project, and of these perhaps a few: the mutants of a folder are met by the tests that know it. */
const projects = config.test?.projects as TestProjectInlineConfiguration[]
const chosen = projects.find(({ test }) => test?.name === MUTANTS_PROJECT)
const tests = { ...chosen?.test, ...(MUTANTS_TESTS ? { include: MUTANTS_TESTS.split(',') } : {}) }

/** What waits for ever because of a mutant is not waited for long. */
const soon = { testTimeout: 30_000, hookTimeout: 30_000 }

export default defineConfig({
  test: { ...config.test, projects: [{ ...chosen, test: { ...tests, ...soon } }] },
})
