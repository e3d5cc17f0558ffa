import { isTest, type Project, type Violation } from './project.ts'
import type { ArchitectureRules } from './rules.ts'

/** Who reads the environment of the process: one file for each program, so that a bad value is found at start. */
export function checkEnvironment({ modules }: Project, rules: ArchitectureRules): Violation[] {
  return [...modules.values()].flatMap(({ path: file, environmentReads }) => {
    if (isTest(file) || rules.environmentReaders.some(({ files }) => files.test(file))) return []
    return environmentReads.map((line) => ({
      file,
      line,
      message: 'reads process.env: take the value from the configuration as an argument',
    }))
  })
}
