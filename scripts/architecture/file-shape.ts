import path from 'node:path'
import type { Project, Violation } from './project.ts'
import type { ArchitectureRules } from './rules.ts'

/** Checks the name, the exports and the suppressions of each file. Sizes are only shown, by `describeShape`. */
export function checkFileShape({ modules, unresolved }: Project, rules: ArchitectureRules): Violation[] {
  const violations: Violation[] = []
  for (const { path: file, starExports, defaultExports, onlyReexports, suppressions } of modules.values()) {
    const complaint = complainAboutName(file, rules)
    if (complaint) violations.push({ file, line: 1, message: complaint })
    for (const line of starExports) {
      violations.push({
        file,
        line,
        message: 'exports everything of another file: import from where a thing is defined',
      })
    }
    if (onlyReexports && starExports.length === 0) {
      violations.push({
        file,
        line: 1,
        message: 'only passes on exports of other files: import from where they are defined',
      })
    }
    for (const { text, line } of suppressions) {
      const problem = complainAboutSuppression(text)
      if (problem) violations.push({ file, line, message: problem })
    }
    if (!rules.defaultExportFiles.some((pattern) => pattern.test(file))) {
      for (const line of defaultExports) {
        violations.push({ file, line, message: 'has a default export: name it, so that it has one name everywhere' })
      }
    }
  }
  for (const { from, line, specifier } of unresolved) {
    violations.push({ file: from, line, message: `imports ${specifier}, which does not exist` })
  }
  return violations
}

function complainAboutName(file: string, rules: ArchitectureRules): string | undefined {
  const name = path.posix.basename(file)
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.(ts|tsx|mjs)$/.test(name)) {
    return 'is not named in kebab-case'
  }
  const [stem = ''] = name.split('.')
  if (stem === 'index') return 'is named index: name the file after what it holds'
  const folder = path.posix.basename(path.posix.dirname(file))
  const banned = rules.bannedNames.find((word) => stem.split('-').includes(word) || folder.split('-').includes(word))
  return banned && `is named "${banned}", which says nothing: name the file after the noun it holds`
}

function complainAboutSuppression(text: string): string | undefined {
  if (text.startsWith('@ts-')) return 'switches the compiler off: mend the type'
  const reason = text.startsWith('biome-ignore') ? /: \S.{9,}/ : / -- \S.{9,}/
  return reason.test(text)
    ? undefined
    : 'switches a rule off without its reason (after ` -- `, or after the colon of biome-ignore)'
}
