import type { ArchitectureRules, LevelRules } from './rules.ts'

/** Returns the workspace of a file, or undefined for files at the root. */
export function workspaceOf(file: string, rules: ArchitectureRules): string | undefined {
  return Object.entries(rules.workspaces).find(([, { root }]) => file.startsWith(root))?.[0]
}

/** Returns the level of a file within its workspace, or undefined if it is in no known level. */
export function levelOf(file: string, levels: LevelRules): string | undefined {
  if (!file.startsWith(levels.root)) return undefined
  const [first = ''] = file.slice(levels.root.length).split('/')
  const name = first.replace(/\.tsx?$/, '')
  return name in levels.below ? name : undefined
}
