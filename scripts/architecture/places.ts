import type { ArchitectureRules, LevelRules } from './rules.ts'

/** The workspace that a file stands in; undefined for the files at the root. */
export function workspaceOf(file: string, rules: ArchitectureRules): string | undefined {
  return Object.entries(rules.workspaces).find(([, { root }]) => file.startsWith(root))?.[0]
}

/** The level of its workspace that a file stands in; undefined for one in no known level. */
export function levelOf(file: string, levels: LevelRules): string | undefined {
  if (!file.startsWith(levels.root)) return undefined
  const [first = ''] = file.slice(levels.root.length).split('/')
  const name = first.replace(/\.tsx?$/, '')
  return name in levels.below ? name : undefined
}
